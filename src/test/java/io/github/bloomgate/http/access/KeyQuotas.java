package io.github.bloomgate.http.access;

import static io.github.bloomgate.http.access.TestKeys.ADMIN;
import static io.github.bloomgate.http.access.TestKeys.json;
import static io.github.bloomgate.http.access.TestKeys.with;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import io.github.bloomgate.http.Api;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Keys with quotas, and requests that create or enlarge filters. */
abstract class KeyQuotas {

  static final String FEW = TestKeys.token("few");
  static final String FEW_PREFIX = "few-";

  /** A second prefix. Other names sort between the two. */
  static final String FEW_LATER = "more-";

  static final int MAX_FILTERS = 3;

  static final String SMALL = TestKeys.token("small");
  static final String SMALL_PREFIX = "small-";

  static final int FILTER_BYTES = 1024;

  /** Used by only one test. */
  static final String TIGHT = TestKeys.token("tight");

  static final String TIGHT_PREFIX = "tight-";

  /** Has both quotas. */
  static final String OTHER = TestKeys.token("other");

  static final String OTHER_PREFIX = "other-";

  /** Has both quotas, but never reaches them. */
  static final String WIDE = TestKeys.token("wide");

  static final String WIDE_PREFIX = "wide-";

  /** A writer. */
  static final String ADDS = TestKeys.token("adds");

  static final String ADDS_PREFIX = "adds-";

  /** For keys that are written later. */
  static final String FRESH_PREFIX = "fresh-";

  /** Has no quota, so leftovers of other tests do not matter. */
  static final String FREE_PREFIX = "free-";

  /** The keys as a setting, because tests replace the file of {@link TestKeys}. */
  static String setting() {
    return String.join(
        ";",
        ApiKey.line(
            "few", Role.ADMIN, FEW, List.of(FEW_LATER, FEW_PREFIX), "maxFilters=" + MAX_FILTERS),
        ApiKey.line(
            "wide", Role.ADMIN, WIDE, List.of(WIDE_PREFIX), "maxFilters=1000", "maxBytes=1G"),
        ApiKey.line("adds", Role.WRITER, ADDS, List.of(ADDS_PREFIX), "maxFilters=2"),
        ApiKey.line("small", Role.ADMIN, SMALL, List.of(SMALL_PREFIX), "maxBytes=3K"),
        ApiKey.line("tight", Role.ADMIN, TIGHT, List.of(TIGHT_PREFIX), "maxBytes=3072"),
        ApiKey.line(
            "other",
            Role.ADMIN,
            OTHER,
            List.of(OTHER_PREFIX),
            "maxFilters=" + MAX_FILTERS,
            "maxBytes=3K"));
  }

  @BeforeEach
  @AfterEach
  void deleteAll() {
    for (var prefix :
        List.of(
            FEW_PREFIX,
            FEW_LATER,
            SMALL_PREFIX,
            TIGHT_PREFIX,
            OTHER_PREFIX,
            WIDE_PREFIX,
            ADDS_PREFIX,
            FRESH_PREFIX,
            FREE_PREFIX)) {
      names(prefix).forEach(KeyQuotas::delete);
    }
  }

  static String elements(int count) {
    return Api.elements(0, count);
  }

  static String made(String key, String prefix) {
    return made(key, prefix, 1);
  }

  static String made(String key, String prefix, int kibibytes) {
    var name = prefix + Api.newName();
    create(key, name, kibibytes).then().statusCode(201);
    return name;
  }

  static Response create(String key, String name, int kibibytes) {
    return json(key, shape(kibibytes)).put(Api.FILTERS + name);
  }

  static Response rebuild(String key, String name, int kibibytes) {
    return json(key, shape(kibibytes)).post(Api.FILTERS + name + "/rebuild");
  }

  static String shape(int kibibytes) {
    return shapeOf(FILTER_BYTES * kibibytes);
  }

  static String shapeOf(int bytes) {
    return "{\"bitSize\": %d, \"numHashFunctions\": 5}".formatted(8 * bytes);
  }

  /** Replaces the content by a filter of slightly less than this many kibibytes. */
  static Response replace(String key, String name, int kibibytes) {
    return with(key)
        .contentType("text/plain; charset=utf-8")
        .body("a\nb\n")
        .put(
            Api.FILTERS
                + name
                + "/elements?falsePositiveProbability=0.01&expectedInsertions="
                + 850 * kibibytes);
  }

  static Response copy(String key, String from, String to, boolean replace) {
    return json(key, "{\"to\": \"%s\", \"replace\": %s}".formatted(to, replace))
        .post(Api.FILTERS + from + "/copy");
  }

  static Response rename(String key, String from, String to) {
    return json(key, "{\"to\": \"%s\"}".formatted(to)).post(Api.FILTERS + from + "/rename");
  }

  static Response adopt(String key, String name) {
    var body =
        "{\"hashScheme\": \"go-zero\", \"bitSize\": 65536, \"redisKey\": \"%s\"}"
            .formatted(name + "-bits");
    return json(key, body).put(Api.FILTERS + name);
  }

  static byte[] export(String key, String name) {
    return with(key).get(Api.FILTERS + name + "/export").asByteArray();
  }

  static Response load(String key, String name, byte[] file) {
    return with(key)
        .contentType("application/octet-stream")
        .body(file)
        .put(Api.FILTERS + name + "/import");
  }

  static ValidatableResponse refused(Response answer) {
    return Api.refused(422, "LIMIT_EXCEEDED", answer.then())
        .body("detail", containsString("quota is"));
  }

  static void assertBytes(String name, int kibibytes) {
    with(ADMIN)
        .get(Api.FILTERS + name)
        .then()
        .statusCode(200)
        .body("sizeBytes", equalTo(FILTER_BYTES * kibibytes))
        .body("rebuild", equalTo(null));
  }

  static List<String> namesOfFew() {
    return Stream.of(FEW_PREFIX, FEW_LATER).map(KeyQuotas::names).flatMap(List::stream).toList();
  }

  static List<String> names(String prefix) {
    var path = "/v1/filters?limit=500&prefix=" + prefix;
    return with(ADMIN).get(path).jsonPath().getList("filters.name", String.class);
  }

  static void delete(String name) {
    with(ADMIN).delete(Api.FILTERS + name).then().statusCode(204);
  }
}
