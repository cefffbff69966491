package io.github.bloomgate.http.access;

import static io.github.bloomgate.http.access.TestKeys.ADMIN;
import static io.github.bloomgate.http.access.TestKeys.json;
import static io.github.bloomgate.http.access.TestKeys.with;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.http.security.ApiKey;
import io.github.bloomgate.http.security.Role;
import io.github.bloomgate.support.Beside;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a key may have of filters, over HTTP, by each call that makes a filter or enlarges one. */
@QuarkusTest
@TestProfile(KeyQuotaTest.Keys.class)
@Tag("slow")
class KeyQuotaTest {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final String FEW = TestKeys.token("few");
  private static final String FEW_PREFIX = "few-";

  /** Of another prefix, between which and the first others sort. */
  private static final String FEW_LATER = "more-";

  private static final int MAX_FILTERS = 3;

  private static final String SMALL = TestKeys.token("small");
  private static final String SMALL_PREFIX = "small-";

  private static final int FILTER_BYTES = 1024;

  /** Likewise for another test. */
  private static final String TIGHT = TestKeys.token("tight");

  private static final String TIGHT_PREFIX = "tight-";

  /** Of both quotas. */
  private static final String OTHER = TestKeys.token("other");

  private static final String OTHER_PREFIX = "other-";

  /** Of both quotas, neither of which is reached. */
  private static final String WIDE = TestKeys.token("wide");

  private static final String WIDE_PREFIX = "wide-";
  private static final int PARALLEL = 48;

  /** Of no quota: what was here a moment ago is in nobody's way. */
  private static final String FREE_PREFIX = "free-";

  /** Keys with quotas, beside the usual ones. */
  public static class Keys implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      var settings = new HashMap<>(new TestKeys().getConfigOverrides());
      settings.put(
          "bloomgate.security.keys",
          String.join(
              ";",
              ApiKey.line(
                  "few",
                  Role.ADMIN,
                  FEW,
                  List.of(FEW_LATER, FEW_PREFIX),
                  "maxFilters=" + MAX_FILTERS),
              ApiKey.line(
                  "wide", Role.ADMIN, WIDE, List.of(WIDE_PREFIX), "maxFilters=1000", "maxBytes=1G"),
              ApiKey.line("small", Role.ADMIN, SMALL, List.of(SMALL_PREFIX), "maxBytes=3K"),
              ApiKey.line("tight", Role.ADMIN, TIGHT, List.of(TIGHT_PREFIX), "maxBytes=3072"),
              ApiKey.line(
                  "other",
                  Role.ADMIN,
                  OTHER,
                  List.of(OTHER_PREFIX),
                  "maxFilters=" + MAX_FILTERS,
                  "maxBytes=3K")));
      return settings;
    }
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
            FREE_PREFIX)) {
      names(prefix).forEach(KeyQuotaTest::delete);
    }
  }

  @Test
  void aKeyMakesAsManyFiltersAsItMayOfAllItsPrefixes() {
    var first = made(FEW, FEW_PREFIX);
    made(FEW, FEW_LATER);
    made(ADMIN, FEW_LATER);
    var before = namesOfFew();

    var name = FEW_PREFIX + Api.newName();
    refused(create(FEW, name, 1))
        .body(
            "detail",
            allOf(
                containsString("There are 3 filters of names that the key 'few' may use"),
                containsString("maxFilters of its quota is 3")));

    with(FEW).get(Api.FILTERS + name).then().statusCode(404);
    assertEquals(before, namesOfFew());
    create(FEW, first, 1).then().statusCode(200);
    create(FEW, first, 2).then().statusCode(409).body("code", equalTo("FILTER_EXISTS"));
    made(OTHER, OTHER_PREFIX);
    made(ADMIN, FEW_PREFIX);
    delete(first);
    refused(create(FEW, name, 1));
    delete(names(FEW_PREFIX).get(0));
    create(FEW, name, 1).then().statusCode(201);
  }

  @Test
  void manyRequestsAtOnceMakeNoMoreFiltersThanTheKeyMay() {
    var answers =
        beside(PARALLEL, number -> create(FEW, FEW_PREFIX + Api.newName(), 1).statusCode());
    assertEquals(MAX_FILTERS, Collections.frequency(answers, 201), answers::toString);
    assertEquals(PARALLEL - MAX_FILTERS, Collections.frequency(answers, 422), answers::toString);
    assertEquals(MAX_FILTERS, namesOfFew().size());
  }

  @Test
  void everyCallThatMakesAFilterCountsIt() {
    var own = made(FEW, FEW_PREFIX);
    var to = FEW_PREFIX + Api.newName();
    var file = export(FEW, own);
    copy(FEW, own, to, false).then().statusCode(201);
    load(FEW, FEW_PREFIX + Api.newName(), file).then().statusCode(201);
    var before = namesOfFew();

    refused(copy(FEW, own, FEW_LATER + Api.newName(), false));
    refused(copy(FEW, own, FEW_LATER + Api.newName(), true));
    refused(load(FEW, FEW_LATER + Api.newName(), file));
    refused(adopt(FEW, FEW_LATER + Api.newName()));

    assertEquals(before, namesOfFew());
    copy(FEW, own, to, true).then().statusCode(201);
    load(FEW, to, file).then().statusCode(200);
    rename(FEW, to, FEW_LATER + Api.newName()).then().statusCode(200);
    assertEquals(MAX_FILTERS, namesOfFew().size());
    delete(own);
    adopt(FEW, FEW_LATER + Api.newName()).then().statusCode(201);
  }

  @Test
  void aKeyTakesAsManyBytesAsItMay() {
    var first = made(SMALL, SMALL_PREFIX);
    made(ADMIN, SMALL_PREFIX);
    made(SMALL, SMALL_PREFIX);
    var before = names(SMALL_PREFIX);

    var name = SMALL_PREFIX + Api.newName();
    refused(create(SMALL, name, 1))
        .body(
            "detail",
            allOf(
                containsString("'" + name + "' would take 1024 bytes more"),
                containsString("that the key 'small' may use take 3072 bytes"),
                containsString("maxBytes of its quota is 3072")));

    with(SMALL).get(Api.FILTERS + name).then().statusCode(404);
    assertEquals(before, names(SMALL_PREFIX));
    create(SMALL, first, 1).then().statusCode(200);
    // 8 KiB, when elements that are added have let it grow.
    refused(adopt(SMALL, SMALL_PREFIX + Api.newName()));
    made(OTHER, OTHER_PREFIX);
    delete(first);
    create(SMALL, name, 1).then().statusCode(201);
  }

  @Test
  void everyCallThatEnlargesAFilterCountsItsBytes() {
    var one = made(TIGHT, TIGHT_PREFIX);
    var two = made(TIGHT, TIGHT_PREFIX);
    var large = made(ADMIN, FREE_PREFIX, 3);
    var file = export(ADMIN, large);

    refused(rebuild(TIGHT, one, 3));
    refused(load(TIGHT, one, file));
    refused(load(TIGHT, TIGHT_PREFIX + Api.newName(), file));
    refused(replace(TIGHT, one, 3));
    assertBytes(one, 1);

    replace(TIGHT, one, 2).then().statusCode(200);
    refused(copy(TIGHT, one, two, true));
    refused(copy(TIGHT, one, TIGHT_PREFIX + Api.newName(), false));
    assertBytes(two, 1);
    replace(TIGHT, one, 2).then().statusCode(200);
    replace(TIGHT, one, 1).then().statusCode(200);
    copy(TIGHT, one, two, true).then().statusCode(201);
    var from = "{\"from\": [\"%s\"]}".formatted(two);
    json(TIGHT, from).post(Api.FILTERS + one + "/merge").then().statusCode(200);
    rebuild(TIGHT, two, 2).then().statusCode(201);
    with(TIGHT).delete(Api.FILTERS + two + "/rebuild").then().statusCode(204);
  }

  /** Three layers take 2296 bytes, and the fourth would take more than the rest. */
  @Test
  void aLayerIsPaidByTheKeyThatOwnsTheName() {
    var growing =
        "{\"expectedInsertions\": 200, \"falsePositiveProbability\": 0.01, \"whenFull\": \"grow\"}";
    var name = SMALL_PREFIX + Api.newName();
    json(SMALL, growing).put(Api.FILTERS + name).then().statusCode(201);
    json(SMALL, elements(100)).post(Api.FILTERS + name + "/add").then().statusCode(200);
    for (var key : List.of(ADMIN, SMALL)) {
      refused(json(key, elements(5_000)).post(Api.FILTERS + name + "/add"))
          .body(
              "detail",
              allOf(
                  containsString("that the key 'small' may use"),
                  containsString("that had room are in the filter")));
    }
    with(SMALL).get(Api.FILTERS + name).then().body("layers.size()", equalTo(3));
    json(SMALL, elements(100))
        .post(Api.FILTERS + name + "/test")
        .then()
        .body("mightContainCount", equalTo(100));

    var free = FREE_PREFIX + Api.newName();
    json(ADMIN, growing).put(Api.FILTERS + free).then().statusCode(201);
    json(ADMIN, elements(5_000)).post(Api.FILTERS + free + "/add").then().statusCode(200);
  }

  private static String elements(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "\"e" + i + "\"")
        .collect(Collectors.joining(",", "{\"elements\": [", "]}"));
  }

  /** What several wait for together must not make the answer of one that of another. */
  @Test
  void whoCreatesBesideOthersGetsItsOwnAnswer() {
    var answers =
        beside(
            PARALLEL,
            number -> {
              var name = WIDE_PREFIX + Api.newName();
              var host = "client-%d.example:%d".formatted(number, 8000 + number);
              var answer = json(WIDE, shape(1)).header("Host", host).put(Api.FILTERS + name);
              return answer.statusCode()
                  + " "
                  + answer.header("Location").replace("http://" + host + Api.FILTERS + name, "own");
            });
    assertEquals(Collections.nCopies(PARALLEL, "201 own"), answers);
  }

  @Test
  void aKeyOfAllNamesCountsAllFilters() {
    made(ADMIN, "");
    var unlimited = TestKeys.token("all");
    TestKeys.write(ApiKey.line("all", Role.ADMIN, unlimited, List.of(), "maxFilters=1"));

    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> create(unlimited, Api.newName(), 1).statusCode() == 422);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aQuotaIsTakenOverWithTheFileOfKeys(boolean bytes) {
    var token = TestKeys.token("fresh");
    var attribute = bytes ? "maxBytes=" : "maxFilters=";
    var one = bytes ? FILTER_BYTES : 1;
    var prefix = Api.newName() + "-";
    TestKeys.write(ApiKey.line("fresh", Role.ADMIN, token, List.of(prefix), attribute + one));
    var first = prefix + Api.newName();
    Awaitility.await().atMost(PATIENCE).until(() -> create(token, first, 1).statusCode() == 201);
    refused(create(token, prefix + Api.newName(), 1));

    TestKeys.write(ApiKey.line("fresh", Role.ADMIN, token, List.of(prefix), attribute + 2 * one));

    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> create(token, prefix + Api.newName(), 1).statusCode() == 201);
  }

  private static <T> List<T> beside(int count, IntFunction<T> request) {
    var answers = new ConcurrentHashMap<Integer, T>();
    CompletableFuture.allOf(
            IntStream.range(0, count)
                .mapToObj(number -> Beside.run(() -> answers.put(number, request.apply(number))))
                .toArray(CompletableFuture[]::new))
        .join();
    return IntStream.range(0, count).mapToObj(answers::get).toList();
  }

  private static String made(String key, String prefix) {
    return made(key, prefix, 1);
  }

  private static String made(String key, String prefix, int kibibytes) {
    var name = prefix + Api.newName();
    create(key, name, kibibytes).then().statusCode(201);
    return name;
  }

  private static Response create(String key, String name, int kibibytes) {
    return json(key, shape(kibibytes)).put(Api.FILTERS + name);
  }

  private static Response rebuild(String key, String name, int kibibytes) {
    return json(key, shape(kibibytes)).post(Api.FILTERS + name + "/rebuild");
  }

  private static String shape(int kibibytes) {
    return "{\"bitSize\": %d, \"numHashFunctions\": 5}".formatted(8 * FILTER_BYTES * kibibytes);
  }

  /** Replaces the content by a filter that takes a little less than so many kibibytes. */
  private static Response replace(String key, String name, int kibibytes) {
    return with(key)
        .contentType("text/plain; charset=utf-8")
        .body("a\nb\n")
        .put(
            Api.FILTERS
                + name
                + "/elements?falsePositiveProbability=0.01&expectedInsertions="
                + 850 * kibibytes);
  }

  private static Response copy(String key, String from, String to, boolean replace) {
    return json(key, "{\"to\": \"%s\", \"replace\": %s}".formatted(to, replace))
        .post(Api.FILTERS + from + "/copy");
  }

  private static Response rename(String key, String from, String to) {
    return json(key, "{\"to\": \"%s\"}".formatted(to)).post(Api.FILTERS + from + "/rename");
  }

  private static Response adopt(String key, String name) {
    var body =
        "{\"hashScheme\": \"go-zero\", \"bitSize\": 65536, \"redisKey\": \"%s\"}"
            .formatted(name + "-bits");
    return json(key, body).put(Api.FILTERS + name);
  }

  private static byte[] export(String key, String name) {
    return with(key).get(Api.FILTERS + name + "/export").asByteArray();
  }

  private static Response load(String key, String name, byte[] file) {
    return with(key)
        .contentType("application/octet-stream")
        .body(file)
        .put(Api.FILTERS + name + "/import");
  }

  private static ValidatableResponse refused(Response answer) {
    return answer
        .then()
        .statusCode(422)
        .contentType("application/problem+json")
        .body("code", equalTo("LIMIT_EXCEEDED"))
        .body("detail", containsString("of its quota is"));
  }

  private static void assertBytes(String name, int kibibytes) {
    with(ADMIN)
        .get(Api.FILTERS + name)
        .then()
        .statusCode(200)
        .body("sizeBytes", equalTo(FILTER_BYTES * kibibytes))
        .body("rebuild", equalTo(null));
  }

  private static List<String> namesOfFew() {
    return Stream.of(FEW_PREFIX, FEW_LATER).map(KeyQuotaTest::names).flatMap(List::stream).toList();
  }

  private static List<String> names(String prefix) {
    var path = "/v1/filters?limit=500&prefix=" + prefix;
    return with(ADMIN).get(path).jsonPath().getList("filters.name", String.class);
  }

  private static void delete(String name) {
    with(ADMIN).delete(Api.FILTERS + name).then().statusCode(204);
  }
}
