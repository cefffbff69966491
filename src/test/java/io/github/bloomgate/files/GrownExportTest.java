package io.github.bloomgate.files;

import static io.github.bloomgate.files.FileExchange.export;
import static io.github.bloomgate.files.FileExchange.load;
import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FileFormat;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.TestInstance;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Filters that have grown go into files and come back with their layers. */
class GrownExportTest {

  private static TestRedis redis;
  private static TestInstance service;
  private static TestInstance other;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    service = new TestInstance(redis);
    other = new TestInstance(redis);
  }

  @AfterAll
  static void stop() {
    other.close();
    service.close();
    redis.close();
  }

  @Test
  void aFileHasAllLayersAndMakesThemAgain() throws IOException {
    var name = grown();
    service.add(name, elements("in", 500));
    var file = export(service, name);
    var original = service.describe(name);
    assertEquals(FilterPlan.like(original.filter()), ExportedFilter.read(file).header().plan());
    assertContainsAll(file, elements("in", 500));

    var imported = load(service, name(), file);
    var again = imported.filter().name();
    assertEquals(original.statistics(), imported.statistics());
    assertEquals(original.layers(), imported.layers());
    other.assertMaybe(again, elements("in", 500));
    other.add(again, elements("more", 500));
    service.assertMaybe(again, elements("more", 500));
    assertEquals(4, service.describe(again).filter().layers().size());
    service.assertCountsAreExact(again);
    service.assertReconciled(again);
    var filter = service.describe(again).filter();
    service.changes.delete(again, false);
    service.assertNothingLeft(filter);
  }

  /** It takes the place of a filter, to which elements are added meanwhile. */
  @Test
  void anImportReplacesAFilterOfOtherLayers() throws IOException {
    var name = grown();
    service.add(name, elements("in", 250));
    var file = export(service, name);
    service.add(name, elements("later", 1_000));
    var before = service.describe(name).filter();
    assertEquals(2, load(service, name, file).filter().layers().size());
    other.assertMaybe(name, elements("in", 250));
    assertEquals(List.of(), service.keysWith(before.generation().incarnation()));
  }

  /** What an instance remembers of a filter may be of a time before it grew. */
  @Test
  void whatAnotherInstanceAddedToANewLayerIsInTheFile() throws IOException {
    var name = grown();
    service.test(name, elements("x", 1));
    other.add(name, elements("in", 500));
    assertContainsAll(export(service, name), elements("in", 500));
  }

  @Test
  void aFileThatIsCutOffMakesNothing() throws IOException {
    var name = grown();
    service.add(name, elements("in", 500));
    var file = export(service, name);
    var to = name();
    assertFails(
        ErrorCode.CORRUPT_IMPORT, () -> load(service, to, Arrays.copyOf(file, file.length - 100)));
    assertEquals(List.of(), service.keysWith(to.value()));
  }

  @Test
  void noOtherFormatHasLayers() {
    var name = grown();
    for (var format : FileFormat.values()) {
      if (format != FileFormat.BLOOMGATE) {
        assertFails(ErrorCode.INVALID_REQUEST, () -> service.exports.begin(name, format));
      }
    }
  }

  private static FilterName grown() {
    var name = name();
    var growth = new Growth(2, Growth.MAX_SIZE_BYTES);
    service.create(name, FilterParameters.growing(HashSchemes.nativeScheme(), 100, 0.001, growth));
    return name;
  }

  private static void assertContainsAll(byte[] file, List<byte[]> elements) {
    var exported = ExportedFilter.read(file);
    assertTrue(elements.stream().allMatch(exported::mightContain));
  }
}
