package io.github.bloomgate.http;

import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.emptyString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.support.RawRedis;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Elements of several filters in one request. */
@QuarkusTest
class SeveralFiltersTest {

  private static final String SMALL = "{\"expectedInsertions\": 1000}";

  @Inject RawRedis redis;
  @Inject MeterRegistry metrics;

  private static ValidatableResponse send(
      String path, List<String> filters, List<String> elements) {
    return Api.json(Map.of("filters", filters, "elements", elements)).post(path).then();
  }

  private static ValidatableResponse test(List<String> filters, String... elements) {
    return send("/v1/test", filters, List.of(elements));
  }

  private static ValidatableResponse add(List<String> filters, String... elements) {
    return send("/v1/add", filters, List.of(elements));
  }

  /** The query that names these filters. */
  private static String named(List<String> filters) {
    return "filter=" + String.join("&filter=", filters);
  }

  private static List<String> newFilters(int count) {
    return Stream.generate(Api::newFilter).limit(count).toList();
  }

  private double counted(String metric) {
    return metrics.get(metric).counters().stream().mapToDouble(Counter::count).sum();
  }

  private void damage(String filter) {
    Api.add(filter, "content").statusCode(200);
    redis.run("DEL", Api.fields(filter).getString("redisKey"));
  }

  @Test
  void eachFilterAnswersForItself() {
    var filters = newFilters(3);
    Api.add(filters.get(0), "a", "b").statusCode(200);
    Api.add(filters.get(1), "a").statusCode(200);
    test(filters, "a", "b", "c")
        .statusCode(200)
        .body("mightContain.'" + filters.get(0) + "'", contains(true, true, false))
        .body("mightContain.'" + filters.get(1) + "'", contains(true, false, false))
        .body("mightContain.'" + filters.get(2) + "'", contains(false, false, false))
        .body("any", contains(true, true, false))
        .body("all", contains(false, false, false))
        .body("missing", nullValue());
    Api.raw()
        .get("/v1/test?" + named(filters.subList(0, 2)) + "&element=a&element=b")
        .then()
        .statusCode(200)
        .body("any", contains(true, true))
        .body("all", contains(true, false));
  }

  @Test
  void metricsCountElementsForEachFilter() {
    var filters = newFilters(3);
    add(filters, "a").statusCode(200);
    test(filters, "a").statusCode(200);
    var added = counted("bloom.elements.added");
    var tested = counted("bloom.elements.tested");
    add(filters, "a", "b").statusCode(200);
    test(filters, "a", "b", "c", "d").statusCode(200);
    assertEquals(added + 6, counted("bloom.elements.added"));
    assertEquals(tested + 12, counted("bloom.elements.tested"));
  }

  static List<String> kinds() {
    return List.of(
        SMALL,
        "{\"expectedInsertions\": 100000}",
        "{\"expectedInsertions\": 1000, \"whenFull\": \"grow\"}",
        "{\"expectedInsertions\": 1000, \"whenFull\": \"reject\"}",
        "{\"expectedInsertions\": 1000, \"counting\": true}",
        "{\"expectedInsertions\": 1000, \"window\": {\"seconds\": 3600}}",
        "{\"bitSize\": 16777280, \"numHashFunctions\": 3}",
        "{\"hashScheme\": \"go-zero\", \"bitSize\": 4096, \"redisKey\": \"%s\"}"
            .formatted("several-" + Api.newName()));
  }

  @Test
  void filtersOfAllKindsAnswerTogether() {
    var filters = kinds().stream().map(Api::newFilter).toList();
    var allNew = new HashMap<String, List<Boolean>>();
    filters.forEach(filter -> allNew.put(filter, List.of(true, true)));
    add(filters, "a", "b").statusCode(200).body("added", equalTo(allNew));
    add(filters, "b", "c").statusCode(200);
    for (var filter : filters) {
      Api.test(filter, "a", "b", "c", "d").body("mightContain", contains(true, true, true, false));
    }
    test(filters, "a", "c", "d")
        .body("any", contains(true, true, false))
        .body("all", contains(true, true, false));
  }

  @Test
  void anAddGoesToOpenRebuildsToo() {
    var filters = newFilters(2);
    Api.post(filters.get(0), "rebuild", "{}").statusCode(201);
    Api.post(filters.get(0), "rebuild/add", Map.of("elements", List.of("b"))).statusCode(200);
    add(filters, "a").statusCode(200);
    Api.post(filters.get(0), "rebuild/commit", "{}").statusCode(200);
    test(filters, "a").body("all", contains(true));
  }

  @Test
  void aGrowingFilterGrowsWhileOthersAreDone() {
    var growing = Api.newFilter("{\"expectedInsertions\": 100, \"whenFull\": \"grow\"}");
    var filters = List.of(growing, Api.newFilter("{\"expectedInsertions\": 5000}"));
    var many = IntStream.range(0, 2_000).mapToObj(i -> "e" + i).toArray(String[]::new);
    add(filters, many).statusCode(200);
    test(filters, many).body("all", equalTo(Collections.nCopies(many.length, true)));
  }

  @Test
  void aMissingFilterFailsTheRequestOrIsLeftOut() {
    var known = Api.newFilter();
    Api.add(known, "a").statusCode(200);
    var missing = Api.newName();
    Api.refused(404, "FILTER_NOT_FOUND", test(List.of(known, missing), "a"))
        .body("detail", containsString(missing));
    send("/v1/test?missing=ignore", List.of(missing, known), List.of("a"))
        .statusCode(200)
        .body("mightContain", equalTo(Map.of(known, List.of(true))))
        .body("all", contains(true))
        .body("missing", contains(missing));
    send("/v1/test?missing=ignore", List.of(missing), List.of("a"))
        .statusCode(200)
        .body("mightContain.size()", equalTo(0))
        .body("any", contains(false))
        .body("all", contains(false));
    send("/v1/test?missing=ignore", List.of(known), List.of("a")).body("missing", empty());
  }

  /** The instance detects the deletion only by the call. */
  @Test
  void aFilterThatAnotherClientDeletedIsMissing() {
    var filters = newFilters(2);
    Api.add(filters.get(0), "a").statusCode(200);
    test(filters, "a").statusCode(200);
    redis.run("DEL", "bloom:{" + filters.get(1) + "}");
    send("/v1/test?missing=ignore", filters, List.of("a"))
        .statusCode(200)
        .body("missing", contains(filters.get(1)));
  }

  @Test
  void aDamagedFilterFailsTheRequest() {
    var filters = newFilters(2);
    damage(filters.get(1));
    for (var missing : List.of("fail", "ignore")) {
      Api.refused(410, "FILTER_DAMAGED", send("/v1/test?missing=" + missing, filters, List.of("a")))
          .body("detail", containsString(filters.get(1)));
    }
  }

  @Test
  void nothingIsAddedIfAFilterIsMissing() {
    var known = Api.newFilter();
    add(List.of(known, Api.newName()), "a").statusCode(404);
    test(List.of(known), "a").body("any", contains(false));
  }

  @Test
  void anAddThatFailsInPartNamesTheFiltersThatHaveAllElements() {
    var full = Api.newFilter("{\"expectedInsertions\": 1, \"whenFull\": \"reject\"}");
    Api.add(full, "first").statusCode(200);
    var known = Api.newFilter();
    var damaged = Api.newFilter();
    damage(damaged);
    Api.refused(409, "FILTER_FULL", add(List.of(full, known, damaged), "a", "b"))
        .body("detail", containsString("1 of the 3 filters have all elements"))
        .body("addedTo", contains(known));
    Api.test(known, "a", "b").body("mightContain", contains(true, true));
  }

  static List<Map<String, Object>> invalid() {
    var name = "no-such-filter";
    List<String> many = IntStream.range(0, 101).mapToObj(i -> "f" + i).toList();
    return List.of(
        Map.of("filters", List.of(name, name), "elements", List.of("a")),
        Map.of("filters", List.of(name, "{slot}"), "elements", List.of("a")),
        Map.of("filters", List.of(name), "elements", List.of("xyz"), "encoding", "hex"),
        Map.of("filters", many, "elements", List.of("a")));
  }

  @ParameterizedTest
  @MethodSource("invalid")
  void anInvalidBodyChangesNothing(Map<String, Object> body) {
    var isTooMany = body.get("filters") instanceof List<?> list && list.size() > 100;
    for (var path : List.of("/v1/test", "/v1/add")) {
      var code = isTooMany ? "LIMIT_EXCEEDED" : "INVALID_REQUEST";
      Api.refused(isTooMany ? 422 : 400, code, Api.json(body).post(path).then());
    }
  }

  @Test
  void pairsOfFilterAndElementAreLimited() {
    var filters = newFilters(11);
    var elements = IntStream.range(0, 10_000).mapToObj(i -> "e" + i).toList();
    Api.refused(422, "LIMIT_EXCEEDED", send("/v1/add", filters, elements))
        .body("detail", containsString("100000 pairs"));
    send("/v1/add", filters.subList(0, 10), elements).statusCode(200);
    send("/v1/test", filters.subList(0, 10), elements)
        .statusCode(200)
        .body("all", equalTo(Collections.nCopies(elements.size(), true)));
    test(filters.subList(10, 11), "e1").body("any", contains(false));
  }

  @Test
  void aQueryIsCheckedToo() {
    var name = Api.newFilter();
    var twice = "filter=%s&filter=%s&element=a".formatted(name, name);
    Api.refused(400, "INVALID_REQUEST", Api.raw().get("/v1/test?" + twice).then());
    var another = "/v1/test?filter=" + Api.newName();
    Api.refused(400, "INVALID_REQUEST", send(another, List.of(name), List.of("a")));
    send("/v1/test?filter=" + name, List.of(name), List.of("a")).statusCode(200);
  }

  @Test
  void theGateMatchesAnyOrAll() {
    var filters = newFilters(2);
    Api.add(filters.get(0), "one", "both").statusCode(200);
    Api.add(filters.get(1), "both").statusCode(200);
    gate(filters, "element=one").statusCode(204).body(emptyString());
    gate(filters, "element=one&match=any").statusCode(204);
    gate(filters, "element=one&match=all").statusCode(403).body(emptyString());
    gate(filters, "element=both&match=all").statusCode(204);
    gate(filters, "element=none").statusCode(403);
    var more = List.of(filters.get(0), Api.newName());
    gate(more, "element=one").statusCode(404);
    gate(more, "element=one&match=all&missing=ignore").statusCode(204);
  }

  private static ValidatableResponse gate(List<String> filters, String query) {
    return Api.raw().get("/v1/gate?" + named(filters) + "&" + query).then();
  }

  @Test
  void eachLineIsAnsweredByTheNamesThatMightContainIt() {
    var filters = newFilters(2);
    Api.add(filters.get(0), "a", "b").statusCode(200);
    Api.add(filters.get(1), "b").statusCode(200);
    var answer =
        Api.lines("text/plain", "a\nb\nc\n")
            .post("/v1/test?" + named(filters))
            .then()
            .statusCode(200)
            .contentType("application/x-ndjson")
            .extract()
            .asString();
    assertEquals(
        "[\"%s\"]\n[\"%s\",\"%s\"]\n[]\n".formatted(filters.get(0), filters.get(0), filters.get(1)),
        answer);
    assertEquals(
        "[]\n",
        Api.lines("application/x-ndjson", "\"c\"")
            .post("/v1/test?missing=ignore&" + named(List.of(filters.get(0), Api.newName())))
            .then()
            .statusCode(200)
            .extract()
            .asString());
  }

  @Test
  void manyLinesAreAnsweredInOrder() {
    // Short names, so that all of them fit into a request line.
    var start = "m-" + Api.newName().substring(5, 13) + "-";
    var filters = IntStream.range(0, 100).mapToObj(i -> start + i).toList();
    filters.forEach(filter -> Api.put(filter, SMALL).statusCode(201));
    Api.add(filters.get(99), "e5000").statusCode(200);
    var lines = new StringBuilder();
    IntStream.range(0, 6_000).forEach(i -> lines.append('e').append(i).append('\n'));
    var answer =
        Api.lines("text/plain", lines.toString())
            .post("/v1/test?" + named(filters))
            .then()
            .statusCode(200)
            .extract()
            .asString()
            .split("\n");
    assertEquals(6_000, answer.length);
    assertEquals("[\"" + filters.get(99) + "\"]", answer[5_000]);
    assertEquals(1, Stream.of(answer).filter(line -> !line.equals("[]")).count());
  }

  @Test
  void linesNeedFiltersThatCanBeUsed() {
    var damaged = Api.newFilter();
    damage(damaged);
    lines("").statusCode(400);
    lines("?filter=" + Api.newName()).statusCode(404);
    lines("?filter=" + damaged).statusCode(410).body("line", equalTo(1));
    lines("?filter=" + damaged + "&return=flags").statusCode(400);
  }

  private static ValidatableResponse lines(String query) {
    return Api.lines("text/plain", "a\n").post("/v1/test" + query).then();
  }
}
