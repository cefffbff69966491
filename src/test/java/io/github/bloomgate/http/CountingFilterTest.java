package io.github.bloomgate.http;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counting filters over HTTP, with rebuilds, copies and files. */
@QuarkusTest
class CountingFilterTest {

  private static final String COUNTING =
      "{\"expectedInsertions\": 2000, \"falsePositiveProbability\": 1e-9, \"counting\": true}";

  private static final String ABC = "{\"elements\": [\"a\", \"b\", \"c\"]}";

  @Test
  void itShowsItsCounters() {
    var name = Api.newName();
    Api.put(name, COUNTING)
        .statusCode(201)
        .body("counting", equalTo(true))
        .body("counters", equalTo(86272))
        .body("bitSize", equalTo(4 * 86272))
        .body("sizeBytes", equalTo(86272 / 2))
        .body("saturatedCounters", equalTo(0));
    Api.put(name, COUNTING).statusCode(200);
    Api.put(name, "{\"expectedInsertions\": 2000, \"falsePositiveProbability\": 1e-9}")
        .statusCode(409)
        .body("differences.field", hasItem("counting"));
    var plain = Api.newFilter();
    Api.describe(plain).body("counting", nullValue()).body("counters", nullValue());
    for (var i = 0; i < 15; i++) {
      Api.post(name, "add", "{\"elements\": [\"often\"]}").statusCode(200);
    }
    Api.post(name, "add", Api.elements(0, 1000)).body("addedCount", equalTo(1000));
    Api.describe(name).body("saturatedCounters", equalTo(30)).body("insertions", equalTo(1015));
  }

  @Test
  void removedElementsAreAbsent() {
    var name = Api.newFilter(COUNTING);
    Api.add(name, "a", "b", "a").body("added", equalTo(List.of(true, true, false)));
    Api.post(name, "count", ABC)
        .statusCode(200)
        .body("counts", equalTo(List.of(2, 1, 0)))
        .body("countsUpTo", equalTo(15));
    Api.post(name, "remove", ABC)
        .statusCode(200)
        .body("removed", equalTo(List.of(true, true, false)))
        .body("removedCount", equalTo(2));
    Api.post(name, "test", ABC).body("mightContain", equalTo(List.of(true, false, false)));
    Api.describe(name).body("insertions", equalTo(1));
  }

  @Test
  void aRemovalReturnsTheRequestedForm() {
    var name = Api.newFilter(COUNTING);
    for (var mode : new String[] {"summary", "flags", "removed", "absent"}) {
      Api.add(name, "a", "b");
      var answer = Api.post(name, "remove?return=" + mode, ABC).statusCode(200);
      switch (mode) {
        case "summary" -> answer.body("received", equalTo(3)).body("removedCount", equalTo(2));
        case "flags" -> answer.body("removed.size()", equalTo(3));
        case "removed" -> answer.body("elements", equalTo(List.of("a", "b")));
        default -> answer.body("elements", equalTo(List.of("c")));
      }
    }
    Api.post(name, "remove?return=known", ABC).statusCode(400);
    Api.post(name, "remove?durability=none", ABC)
        .statusCode(400)
        .body("detail", containsString("durability"));
    Api.post(name, "count", "{\"elements\": [\"00ff\"], \"encoding\": \"hex\"}")
        .body("counts[0]", equalTo(0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"text/plain", "application/x-ndjson"})
  void aStreamRemovesItsLines(String type) {
    var name = Api.newFilter(COUNTING);
    Api.post(name, "add", Api.elements(0, 2000)).statusCode(200);
    var quote = type.equals("text/plain") ? "" : "\"";
    var lines =
        IntStream.range(1000, 3000)
            .mapToObj(i -> quote + "e" + i + quote + "\n")
            .collect(Collectors.joining());
    Api.lines(type, lines)
        .post(Api.FILTERS + name + "/remove")
        .then()
        .statusCode(200)
        .contentType(ContentType.JSON)
        .body("received", equalTo(2000))
        .body("removedCount", equalTo(1000));
    Api.lines(type, quote + "e1" + quote + "\n" + quote + "e1000" + quote + "\n")
        .post(Api.FILTERS + name + "/remove?return=flags")
        .then()
        .statusCode(200)
        .body(equalTo("1\n0\n"));
    Api.describe(name).body("insertions", equalTo(999));
  }

  /** All earlier batches were applied, and the response includes their number. */
  @Test
  void aFailedStreamReportsItsProgress() {
    var name = Api.newFilter(COUNTING);
    Api.add(name, "a", "b");
    Api.lines("application/x-ndjson", "\"a\"\nnot json\n")
        .post(Api.FILTERS + name + "/remove")
        .then()
        .statusCode(400)
        .body("line", equalTo(2))
        .body("appliedCount", equalTo(1))
        .body("detail", containsString("Do not resend lines"));
    Api.describe(name).body("insertions", equalTo(1));
  }

  @Test
  void aFilterWithoutCountersRefusesRemovals() {
    var plain = Api.newFilter();
    for (var operation : new String[] {"remove", "count"}) {
      Api.refused(400, "INVALID_REQUEST", Api.post(plain, operation, ABC))
          .body("detail", containsString(plain))
          .body("detail", containsString("\"counting\": true"));
    }
    Api.lines("text/plain", "a\n")
        .post(Api.FILTERS + plain + "/remove")
        .then()
        .statusCode(400)
        .body("detail", containsString("counting"));
  }

  @Test
  void filtersHaveNoCountersByDefault() {
    Api.put(Api.newName(), "{\"expectedInsertions\": 100, \"counting\": false}")
        .statusCode(201)
        .body("counting", nullValue());
  }

  @Test
  void aRebuildKeepsCounting() {
    var name = Api.newFilter(COUNTING);
    Api.add(name, "old");
    Api.post(name, "rebuild", "{\"expectedInsertions\": 4000}").statusCode(201);
    Api.post(name, "rebuild/add", Api.elements(0, 100)).statusCode(200);
    Api.post(name, "rebuild/commit", "{}").statusCode(200);
    Api.describe(name)
        .body("counting", equalTo(true))
        .body("expectedInsertions", equalTo(4000))
        .body("insertions", equalTo(100));
    Api.post(name, "remove", Api.elements(0, 100)).body("removedCount", equalTo(100));
    Api.post(name, "rebuild", "{\"whenFull\": \"grow\"}")
        .statusCode(400)
        .body("detail", containsString("counting"));
    Api.lines("text/plain", "x\ny\n")
        .put(Api.FILTERS + name + "/elements")
        .then()
        .statusCode(200)
        .body("counting", equalTo(true))
        .body("insertions", equalTo(2));
  }

  @Test
  void unsupportedOperationsAreRefused() {
    var name = Api.newFilter(COUNTING);
    var plain = Api.newFilter("{\"expectedInsertions\": 8000}");
    for (var pair : new String[][] {{name, plain}, {plain, name}}) {
      Api.post(pair[0], "merge", "{\"from\": [\"%s\"]}".formatted(pair[1]))
          .statusCode(400)
          .body("detail", containsString("counts its elements"));
      Api.post(pair[0], "copy", "{\"to\": \"%s\", \"replace\": true}".formatted(pair[1]))
          .statusCode(400)
          .body("detail", containsString("count"));
    }
    for (var format : List.of("guava", "bits-and-blooms", "redis-bitmap")) {
      Api.export(name, "?format=" + format)
          .statusCode(400)
          .body("detail", containsString("counts its elements"))
          .body("detail", containsString("plain=true"));
    }
    Api.export(name, "?plain=yes").statusCode(400).body("violations[0].field", equalTo("plain"));
    Api.load(name, "", Api.exported(plain, ""))
        .statusCode(400)
        .body("detail", containsString("counts"));
    Api.load(plain, "", Api.exported(name, ""))
        .statusCode(400)
        .body("detail", containsString("does not count"));
    Api.describe(name).body("counting", equalTo(true));
  }

  @Test
  void aFileKeepsTheCounters() {
    var name = Api.newFilter(COUNTING);
    Api.add(name, "a", "a", "b");
    var copy = Api.newName();
    Api.load(copy, "", Api.exported(name, ""))
        .statusCode(201)
        .body("counting", equalTo(true))
        .body("insertions", equalTo(3));
    Api.post(copy, "count", ABC).body("counts", equalTo(List.of(2, 1, 0)));
    Api.load(copy, "", Api.exported(name, "?plain=false"))
        .statusCode(200)
        .body("insertions", equalTo(3));
    var plain = Api.newName();
    Api.load(plain, "", Api.exported(name, "?plain=true"))
        .statusCode(201)
        .body("counting", nullValue());
    Api.post(plain, "test", ABC).body("mightContain", equalTo(List.of(true, true, false)));
    Api.export(name, "?format=redis-bitmap&plain=true").statusCode(200);
  }
}
