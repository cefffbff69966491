package io.github.bloomgate.libraries;

import static io.github.bloomgate.support.Bytes.joined;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.http.Api;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Filters of the module RedisBloom, from the dumps that {@code BF.SCANDUMP} made. */
@QuarkusTest
@Tag("slow")
class RedisBloomFiltersTest {

  private static final String FORMAT = "redisbloom";
  private static final int HEADER_BYTES = 73;

  static List<GoldenFilter> filtersOfOneLayer() {
    var filters =
        GoldenFilter.of(FORMAT).stream().filter(golden -> !golden.node().has("links")).toList();
    assertEquals(3, filters.size());
    return filters;
  }

  @ParameterizedTest
  @MethodSource("filtersOfOneLayer")
  void aDumpBecomesAFilterWithTheSameAnswers(GoldenFilter golden) {
    var layer = golden.node().get("header").get("links").get(0);
    var name = Api.newName();
    FilterFiles.load(name, FORMAT, dump(golden))
        .statusCode(201)
        .body("hashScheme", equalTo("redisbloom"))
        .body("bitSize", equalTo((int) golden.number("m")))
        .body("numHashFunctions", equalTo((int) golden.number("k")))
        .body("expectedInsertions", equalTo(layer.get("entries").asInt()))
        .body("falsePositiveProbability", equalTo((float) layer.get("error").asDouble()))
        .body("insertions", equalTo(layer.get("size").asInt()))
        .body("bitsSet", equalTo((int) golden.number("bitCount")));
    golden.assertAnswers(name);
    golden.assertDigest("paddedSha256", FilterFiles.exported(name, "redis-bitmap"));
  }

  /** The dump begins with the number of items, which here equals the first bytes of gzip. */
  @Test
  void aDumpThatBeginsLikeGzipNeedsNoHeader() {
    var items = 0x088b1f;
    var dump = new byte[HEADER_BYTES + (1 << 17)];
    Arrays.fill(dump, HEADER_BYTES, dump.length, (byte) 0xff);
    System.arraycopy(dump(GoldenFilter.of(FORMAT, "tiny")), 0, dump, 0, HEADER_BYTES);
    header(dump)
        .putLong(0, items)
        .putLong(20, 1 << 17)
        .putLong(28, 1 << 20)
        .putLong(36, items)
        .putLong(64, items);
    FilterFiles.load(Api.newName(), FORMAT, dump)
        .statusCode(400)
        .body("detail", containsString("Content-Encoding: identity"));
    given()
        .contentType("application/octet-stream")
        .header("Content-Encoding", "identity")
        .body(dump)
        .put("/v1/filters/" + Api.newName() + "/import?format=" + FORMAT)
        .then()
        .statusCode(201)
        .body("insertions", equalTo(items));
  }

  @Test
  void elementsAddedLaterHaveTheBitsOfTheModule() {
    var golden = GoldenFilter.of(FORMAT, "tiny");
    var empty = new byte[HEADER_BYTES + 40];
    System.arraycopy(dump(golden), 0, empty, 0, HEADER_BYTES);
    header(empty).putLong(0, 0).putLong(36, 0);
    var name = FilterFiles.loaded(FORMAT, empty);
    golden.elements("elements").addTo(name);
    golden.assertDigest("paddedSha256", FilterFiles.exported(name, "redis-bitmap"));
  }

  @Test
  void aFilterThatGrewIsRefusedAndNothingIsChanged() {
    var golden = GoldenFilter.of(FORMAT, "scaling");
    var dump = golden.bytes("headerHex");
    for (var link : golden.node().get("links")) {
      dump = joined(dump, new GoldenFilter(FORMAT, link).bytes("nativeHex"));
    }
    var name = FilterFiles.loaded(FORMAT, dump(GoldenFilter.of(FORMAT, "tiny")));
    var before = Api.describe(name).extract().asString();
    for (var target : List.of(name, Api.newName())) {
      Api.refused(422, "LIMIT_EXCEEDED", FilterFiles.load(target, FORMAT, dump))
          .body("detail", containsString("grew to 4 layers"))
          .body("detail", containsString("396 expectedInsertions"));
    }
    assertEquals(before, Api.describe(name).extract().asString());
  }

  @Test
  void dumpsCannotBeExported() {
    var name = FilterFiles.loaded(FORMAT, dump(GoldenFilter.of(FORMAT, "tiny")));
    Api.refused(400, "INVALID_REQUEST", FilterFiles.export(name, FORMAT));
    FilterFiles.export(name, "guava")
        .statusCode(400)
        .body("detail", containsString("one of: bloomgate, redis-bitmap."));
  }

  @ParameterizedTest
  @CsvSource({"0", "58", "171", "1000"})
  void itemsThatDoNotMatchTheBits(int items) {
    var file = dump(GoldenFilter.of(FORMAT, "tiny"));
    header(file).putLong(0, items).putLong(36, items);
    var isPossible = items * 4 >= 170 && items <= 170;
    FilterFiles.load(Api.newName(), FORMAT, file)
        .statusCode(isPossible ? 201 : 422)
        .body(isPossible ? "insertions" : "code", equalTo(isPossible ? items : "CORRUPT_IMPORT"));
  }

  @Test
  void aDumpOfAFilterThatIsTooLarge() {
    var file = dump(GoldenFilter.of(FORMAT, "tiny"));
    header(file).putLong(20, 1L << 30).putLong(28, 1L << 33);
    Api.refused(422, "LIMIT_EXCEEDED", FilterFiles.load(Api.newName(), FORMAT, file))
        .body("detail", containsString("4294967296"));
  }

  private static byte[] dump(GoldenFilter golden) {
    return joined(golden.bytes("headerHex"), golden.bytes("nativeHex"));
  }

  private static ByteBuffer header(byte[] file) {
    return ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
  }
}
