package io.github.bloomgate.libraries;

import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.github.bloomgate.http.Api;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files that {@code WriteTo} of the Go library bits-and-blooms/bloom writes. */
@QuarkusTest
@Tag("slow")
class BitsAndBloomsFilesTest {

  private static final String FORMAT = "bits-and-blooms";

  @Test
  void aFilterMadeHereIsWrittenAsTheLibraryWouldWriteIt() {
    var golden = GoldenFilter.of(FORMAT, "estimated");
    var name = Api.newName();
    var parameters =
        Map.of(
            "hashScheme",
            FORMAT,
            "expectedInsertions",
            golden.number("n"),
            "falsePositiveProbability",
            golden.node().get("p").asDouble());
    Api.put(name, parameters).statusCode(201);
    FilterFiles.addHex(name, golden.node().get("elements").findValuesAsText("elementHex"));
    assertArrayEquals(golden.bytes("nativeHex"), FilterFiles.exported(name, FORMAT));
    FilterFiles.export(name, FORMAT)
        .header("Content-Disposition", "attachment; filename=\"" + name + ".bits-and-blooms\"");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 5, 0, CORRUPT_IMPORT, 0 bits",
    "-1, 5, -1, CORRUPT_IMPORT, 18446744073709551615 bits",
    "64, 0, 64, CORRUPT_IMPORT, 0 hash functions",
    "64, -1, 64, CORRUPT_IMPORT, hash functions",
    "64, 5, 128, CORRUPT_IMPORT, its bit set has 128 bits",
    "63, 5, 64, CORRUPT_IMPORT, its filter 63",
    "128, 5, 128, CORRUPT_IMPORT, cut off after 32 of the 40",
    "4294967296, 5, 4294967296, CORRUPT_IMPORT, cut off",
    "64, 256, 64, LIMIT_EXCEEDED, 255",
    "64, 4294967297, 64, LIMIT_EXCEEDED, 255",
    "4294967297, 5, 4294967297, LIMIT_EXCEEDED, 4294967296",
    "9223372036854775807, 5, 9223372036854775807, LIMIT_EXCEEDED, 4294967296"
  })
  void impossibleHeaders(long bits, long k, long length, String code, String problem) {
    var file = ByteBuffer.allocate(32).putLong(bits).putLong(k).putLong(length);
    var name = Api.newName();
    FilterFiles.load(name, FORMAT, file.array())
        .statusCode(422)
        .body("code", equalTo(code))
        .body("detail", containsString(problem));
    Api.describe(name).statusCode(404);
  }
}
