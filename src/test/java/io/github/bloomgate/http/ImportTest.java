package io.github.bloomgate.http;

import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The contract of importing a filter. */
@QuarkusTest
class ImportTest {

  @Test
  void anExportedFileMakesTheSameFilterUnderAnotherName() {
    var original = filled("{\"expectedInsertions\": 500, \"whenFull\": \"reject\"}");
    var copy = Api.newName();
    put(copy, export(original))
        .statusCode(201)
        .header("Location", endsWith(Api.FILTERS + copy))
        .body("name", equalTo(copy))
        .body("expectedInsertions", equalTo(500))
        .body("whenFull", equalTo("reject"))
        .body("insertions", equalTo(2))
        .body("generation", equalTo(1));
    Api.test(copy, "a", "b", "c").body("mightContainCount", equalTo(2));
  }

  /** With one element, its rate is so close to 1 that a double cannot express the difference. */
  @Test
  void aFilterOfASingleBitIsExportedAndImported() {
    var original =
        filled("{\"hashScheme\": \"rueidisprob\", \"bitSize\": 1, \"numHashFunctions\": 40}");
    var copy = Api.newName();
    put(copy, export(original)).statusCode(201).body("bitSize", equalTo(1));
    Api.test(copy, "a", "b", "c").body("mightContainCount", equalTo(3));
  }

  @Test
  void aFileReplacesContentAndParametersOfAFilter() {
    var original = filled("{\"expectedInsertions\": 500}");
    var replaced = Api.newFilterOfTwoSegments();
    Api.add(replaced, "old");
    put(replaced, export(original))
        .statusCode(200)
        .body("segments", equalTo(1))
        .body("expectedInsertions", equalTo(500))
        .body("generation", equalTo(2));
    Api.test(replaced, "a", "b", "old").body("mightContainCount", equalTo(2));
  }

  @Tag("slow")
  @Test
  void aFileMayBeLargerThanOtherBodies() {
    var large = filled("{\"bitSize\": 150000000, \"numHashFunctions\": 5}");
    var file = export(large);
    assertEquals(true, file.length > 16 << 20);
    var name = Api.newName();
    put(name, file).statusCode(201).body("segments", equalTo(9));
    Api.test(name, "a", "b").body("mightContainCount", equalTo(2));
  }

  @Test
  void aDamagedFileIsRefusedAndChangesNothing() {
    var name = filled("{\"expectedInsertions\": 500}");
    var before = Api.description(name);
    var file = export(name);
    for (var length : new int[] {0, 1, 20, 200, file.length - 1}) {
      Api.refused(422, "CORRUPT_IMPORT", put(name, Arrays.copyOf(file, length)));
      var other = Api.newName();
      put(other, Arrays.copyOf(file, length)).statusCode(422);
      Api.describe(other).statusCode(404);
    }
    assertEquals(before, Api.description(name));
  }

  @Test
  void anOpenRebuildIsNotDisturbed() {
    var name = filled("{\"expectedInsertions\": 500}");
    var file = export(name);
    Api.post(name, "rebuild", "{}").statusCode(201);
    put(name, file).statusCode(409).body("code", equalTo("REBUILD_IN_PROGRESS"));
    Api.post(name, "rebuild/commit", "{\"allowEmpty\": true}").statusCode(200);
    put(name, file).statusCode(200).body("generation", equalTo(3));
  }

  private static String filled(String body) {
    var name = Api.newFilter(body);
    Api.add(name, "a", "b");
    return name;
  }

  private static byte[] export(String name) {
    return Api.exported(name, "");
  }

  private static ValidatableResponse put(String name, byte[] file) {
    return Api.load(name, "", file);
  }
}
