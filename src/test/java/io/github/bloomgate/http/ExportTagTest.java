package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tag of an export, and requests for a file only if it has changed. */
@QuarkusTest
class ExportTagTest {

  private static final int SMALL = 1_000;

  /** Its file is longer than 1 MiB. */
  private static final int LARGE = 1_000_000;

  private static String filled(int expectedInsertions) {
    var name = Api.newFilter("{\"expectedInsertions\": %d}".formatted(expectedInsertions));
    Api.add(name, "alice", "bob").statusCode(200);
    return name;
  }

  private static Response unless(String held, String name) {
    return given().header("If-None-Match", held).get(Api.FILTERS + name + "/export");
  }

  private static void assertUnchanged(String tag, Response response) {
    assertEquals(304, response.statusCode());
    assertEquals(0, response.asByteArray().length);
    assertEquals(tag, response.header("ETag"));
  }

  @ParameterizedTest
  @ValueSource(ints = {SMALL, LARGE})
  void anUnchangedFileIsNotSentAgain(int expectedInsertions) {
    var name = filled(expectedInsertions);
    var file = given().get(Api.FILTERS + name + "/export");
    var tag = file.header("ETag");
    assertEquals(expectedInsertions == LARGE, tag.startsWith("W/"), tag);
    var head = given().head(Api.FILTERS + name + "/export");
    assertEquals(200, head.statusCode());
    assertEquals(tag, head.header("ETag"));
    assertEquals(file.header("Content-Length"), head.header("Content-Length"));

    var opaque = tag.replace("W/", "");
    for (var held : List.of(tag, opaque, "W/" + opaque, "\"other\", " + tag, "*")) {
      assertUnchanged(tag, unless(held, name));
      var again = given().header("If-None-Match", held).head(Api.FILTERS + name + "/export");
      assertUnchanged(tag, again);
    }
    var other = unless("\"other\"", name);
    assertEquals(200, other.statusCode());
    assertEquals(tag, other.header("ETag"));
    assertArrayEquals(file.asByteArray(), other.asByteArray());

    Api.add(name, "carol").statusCode(200);
    var changed = unless(tag, name);
    assertEquals(200, changed.statusCode());
    assertNotEquals(tag, changed.header("ETag"));
    assertUnchanged(changed.header("ETag"), unless(changed.header("ETag"), name));
    assertTrue(changed.asByteArray().length > 0);
  }

  @Test
  void aBitmapOfALibraryHasNoTag() {
    var name =
        Api.newFilter(
            "{\"hashScheme\": \"go-zero\", \"bitSize\": 4096, \"redisKey\": \"tagless-%s\"}"
                .formatted(Api.newName()));
    Api.add(name, "alice").statusCode(200);
    for (var response :
        List.of(
            given().get(Api.FILTERS + name + "/export"),
            given().head(Api.FILTERS + name + "/export"),
            unless("\"any\"", name))) {
      assertEquals(200, response.statusCode());
      assertNull(response.header("ETag"));
    }
  }

  @Test
  void anErrorHasNoTag() {
    var name = filled(SMALL);
    var tag = given().get(Api.FILTERS + name + "/export").header("ETag");
    Api.delete(name).statusCode(204);
    var gone = unless(tag, name);
    assertEquals(404, gone.statusCode());
    assertNull(gone.header("ETag"));
  }
}
