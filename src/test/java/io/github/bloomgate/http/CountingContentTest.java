package io.github.bloomgate.http;

import static io.github.bloomgate.http.CountingFilterTest.ABC;
import static io.github.bloomgate.http.CountingFilterTest.COUNTING;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rebuilds, copies and files of counting filters, over HTTP. */
@QuarkusTest
class CountingContentTest {

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
