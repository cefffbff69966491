package io.github.bloomgate.files.portable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.files.portable.HeaderJson.BadHeader;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.Generation;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.Layer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of filters that grow: version 2, whose bytes never change either. */
class GrownFileTest {

  /** Made by {@link #golden} and frozen. */
  private static final Path GOLDEN = Path.of("src/test/resources/portable/golden-grown.bloom");

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 32})
  void aWrittenFileIsReadBack(int layers) {
    var seed = System.nanoTime();
    var header = header(grown(10, 0.01, new Growth(1, Growth.MAX_SIZE_BYTES), layers));
    assertEquals(layers, header.plan().layers().size());
    assertRoundTrip(SampleFile.random(new Random(seed), header, 0.5), "seed " + seed);
  }

  @Test
  void layersOfSeveralSegments() {
    var seed = System.nanoTime();
    var header = header(grown(1_000_000, 0.01, new Growth(4, Growth.MAX_SIZE_BYTES), 2));
    assertEquals(4, header.plan().segments());
    assertRoundTrip(SampleFile.random(new Random(seed), header, 0.5), "seed " + seed);
  }

  @Test
  void theGoldenFileIsWrittenUnchanged() throws IOException {
    if (Boolean.getBoolean("test.write-golden")) {
      Files.write(GOLDEN, golden().write());
    }
    assertArrayEquals(Files.readAllBytes(GOLDEN), golden().write());
    assertRoundTrip(SampleFile.read(Files.readAllBytes(GOLDEN)), "golden");
  }

  /** Three layers with 100, 200 and 50 elements. */
  static SampleFile golden() {
    var header = header(grown(100, 0.01, new Growth(2, 1 << 20), 3));
    var file = new SampleFile(header);
    var element = 0;
    for (var layer : header.plan().layers()) {
      file.bitmaps.add(file.empty(layer.firstSegment()));
      var count = Math.min(layer.expectedInsertions(), 350 - element);
      for (var end = element + count; element < end; element++) {
        file.add(layer, ("element " + element).getBytes(StandardCharsets.UTF_8));
      }
      file.insertions.add(count);
      file.snapshots.add(true);
    }
    return file;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"whenFull\":\"grow\"|\"whenFull\":\"accept\"",
        "\"hashScheme\":\"bloomgate-1\"|\"hashScheme\":\"redisbloom\"",
        "\"growthFactor\":2|\"growthFactor\":11",
        "\"growthFactor\":2|\"growthFactor\":0",
        "\"maxSizeBytes\":1048576|\"maxSizeBytes\":500",
        "\"maxSizeBytes\":1048576|\"maxSizeBytes\":8589934593",
        "\"maxSizeBytes\":1048576|\"segments\":1",
        "\"layers\":[|\"layers\":[],\"more\":[",
        "\"layers\":[|\"layers\":[{},",
        "\"layers\":[|\"layers\":[7,",
        "{\"expectedInsertions\":100,|{\"expectedInsertions\":99,",
        "{\"expectedInsertions\":100,|{\"expectedInsertions\":0,",
        "\"falsePositiveProbability\":0.005|\"falsePositiveProbability\":0.0051",
        "\"falsePositiveProbability\":0.0025|\"falsePositiveProbability\":0.1",
        "\"segments\":1|\"segments\":2",
        "\"numHashFunctions\":9|\"numHashFunctions\":0"
      })
  void aWrongHeaderIsRefused(String part, String replacement) {
    var json = new String(HeaderJson.write(golden().header), StandardCharsets.US_ASCII);
    assertTrue(json.contains(part), json);
    assertBad(json.replaceFirst(Pattern.quote(part), replacement), 2);
  }

  @Test
  void aHeaderOfTheOtherVersionIsRefused() {
    var grown = new String(HeaderJson.write(golden().header), StandardCharsets.US_ASCII);
    assertBad(grown, 1);
    var fixed = new String(HeaderJson.write(SampleFile.header(1000, 3)), StandardCharsets.US_ASCII);
    assertBad(fixed, 2);
    assertBad(fixed.replace("accept", "grow"), 1);
  }

  @Test
  void moreLayersThanAFilterCanHaveAreRefused() {
    var json = new String(HeaderJson.write(golden().header), StandardCharsets.US_ASCII);
    var layer = json.substring(json.lastIndexOf('{'), json.lastIndexOf(']'));
    assertBad(json.replace("]", ("," + layer).repeat(30) + "]"), 2);
  }

  private static void assertBad(String json, int version) {
    var bytes = json.getBytes(StandardCharsets.US_ASCII);
    assertThrows(BadHeader.class, () -> HeaderJson.read(version, bytes, 0, bytes.length));
  }

  private static FileHeader header(FilterPlan plan) {
    return new FileHeader(
        new FilterName("grown"), plan, 2, Instant.parse("2026-11-23T06:00:00.123Z"));
  }

  private static FilterPlan grown(long n, double p, Growth growth, int count) {
    var parameters = growth.parameters(HashSchemes.nativeScheme(), n, p);
    var layers = new ArrayList<>(FilterPlan.of(parameters).layers());
    while (layers.size() < count) {
      layers.add(filter(parameters, layers).nextLayer().orElseThrow());
    }
    return new FilterPlan(parameters, layers.subList(1, count));
  }

  private static Filter filter(FilterParameters parameters, List<Layer> layers) {
    var name = new FilterName("grown");
    return new Filter(
        name,
        parameters,
        layers,
        Optional.empty(),
        new Generation(name, "0", 1),
        "0",
        Instant.EPOCH,
        Optional.empty(),
        false,
        Optional.empty(),
        "",
        false);
  }

  private static void assertRoundTrip(SampleFile file, String reported) {
    var bytes = file.write();
    assertEquals(2, bytes[11]);
    assertEquals(bytes.length, FilterFileWriter.length(file.header), reported);
    var read = SampleFile.read(bytes);
    assertEquals(file.header, read.header, reported);
    assertEquals(file.insertions, read.insertions, reported);
    assertEquals(file.snapshots, read.snapshots, reported);
    assertArrayEquals(bytes, read.write(), reported);
  }
}
