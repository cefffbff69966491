package io.github.bloomgate.files;

import static io.github.bloomgate.support.TestCounters.assertCountsAreExact;
import static io.github.bloomgate.support.TestCounters.counting;
import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.element;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.files.portable.FilterFileReader;
import io.github.bloomgate.filters.Description;
import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.model.FileDescription;
import io.github.bloomgate.model.FileFormat;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.TestInstance;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters that count go into files, with their counters or as bits, and come back. */
class CountingExportTest {

  private static TestRedis redis;
  private static TestInstance service;
  private static TestInstance other;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    service = new TestInstance(redis);
    other = TestInstance.withoutCopies(redis);
  }

  @AfterAll
  static void stop() {
    other.close();
    service.close();
    redis.close();
  }

  /** Of one segment, and of several. */
  @ParameterizedTest
  @ValueSource(longs = {1_000, 300_000})
  void aFileHasTheCountersAndMakesThemAgain(long n) throws IOException {
    var name = filled(n);
    var original = service.describe(name);
    for (var instance : List.of(service, other)) {
      var file = export(instance, name, false);
      assertEquals(original.filter().parameters(), ExportedFilter.read(file).header().parameters());
      assertTrue(ExportedFilter.read(file).isOfMoments());
      var loaded = load(name(), file);
      assertEquals(original.filter().parameters(), loaded.filter().parameters());
      assertEquals(original.statistics(), loaded.statistics());
      assertCountsAreExact(service, loaded.filter());
      var again = loaded.filter().name();
      assertArrayEquals(new byte[] {2, 1, 0, 15}, counts(again));
      assertEquals(1, count(other.remove(again, List.of(element("b")))));
      assertArrayEquals(new byte[] {2, 0, 0, 15}, counts(again));
      assertArrayEquals(new byte[] {2, 1, 0, 15}, counts(name));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1_000, 300_000})
  void aPlainFileHasABitForEachCounter(long n) throws IOException {
    var name = filled(n);
    service.add(name, elements("in", 500));
    var original = service.describe(name);
    var file = export(service, name, true);
    var exported = ExportedFilter.read(file);
    assertEquals(original.filter().parameters().withBits(), exported.header().parameters());
    assertTrue(elements("in", 500).stream().allMatch(exported::mightContain));
    assertFalse(exported.mightContain(element("c")));

    var loaded = load(name(), file);
    var plain = loaded.filter().name();
    assertFalse(loaded.filter().isCounting());
    assertEquals(original.statistics().bitsSet(), loaded.statistics().bitsSet());
    assertTrue(Math.abs(503 - loaded.statistics().insertions()) <= 10);
    other.assertMaybe(plain, elements("in", 500));
    other.assertMaybe(plain, List.of(element("a"), element("b"), element("often")));
    assertEquals(0, count(service.test(plain, List.of(element("c")))));
    assertEquals(500, count(service.add(plain, elements("more", 500))));
    service.assertCountsAreExact(plain);
    assertFails(ErrorCode.INVALID_REQUEST, () -> service.remove(plain, List.of(element("a"))));

    // Its segments are those of the filter that counted, also in a file of its own.
    var copy = load(name(), export(service, plain, false));
    assertEquals(loaded.filter().parameters(), copy.filter().parameters());
    other.assertMaybe(copy.filter().name(), elements("more", 500));
  }

  /** It has the bits that a filter with the same parameters has. */
  @Test
  void aPlainFileOfOneSegmentIsOneOfTheScheme() throws IOException {
    var name = filled(1_000);
    var alike = service.create(name(), TestInstance.sized(1_000, 1e-10, WhenFull.ACCEPT)).name();
    service.add(alike, List.of(element("a"), element("b"), element("often")));
    var file = export(service, name, true);
    assertEquals(1, file[11]);
    var exported = ExportedFilter.read(file).bitmaps().get(0);
    assertArrayEquals(
        ExportedFilter.read(export(service, alike, false)).bitmaps().get(0), exported);
    var bitmap = new ByteArrayOutputStream();
    service.exports.begin(name, FileFormat.REDIS_BITMAP, true).writeTo(bitmap);
    assertArrayEquals(exported, bitmap.toByteArray());
  }

  @Test
  void whatDoesNotCountIsTheSameAsPlain() throws IOException {
    var name = service.create(name(), TestInstance.shape(6400, 3)).name();
    service.add(name, elements("in", 100));
    assertArrayEquals(
        ExportedFilter.read(export(service, name, false)).bitmaps().get(0),
        ExportedFilter.read(export(service, name, true)).bitmaps().get(0));
  }

  @Test
  void noOtherFormatHasCounters() {
    var name = filled(1_000);
    for (var format : FileFormat.values()) {
      if (format != FileFormat.BLOOMGATE) {
        assertFails(ErrorCode.INVALID_REQUEST, () -> service.exports.begin(name, format));
      }
    }
  }

  /** What was answered before the export is in its file, whatever goes on meanwhile. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFileIsOfOneMomentWhileElementsComeAndGo(boolean isPlain) throws Exception {
    var name = service.create(name(), counting(5_000)).name();
    service.add(name, elements("stays", 500));
    var instances = List.of(service, other);
    for (var round = 0; round < 8; round++) {
      var instance = instances.get(round % 2);
      var some = elements("round " + round + " ", 200);
      var busy =
          service.begin(
              () -> {
                instance.add(name, some);
                instance.remove(name, some);
              });
      var file = export(instances.get(round / 2 % 2), name, isPlain);
      var exported = ExportedFilter.read(file);
      busy.join();
      if (isPlain) {
        assertTrue(elements("stays", 500).stream().allMatch(exported::mightContain));
      } else {
        var loaded = name();
        load(loaded, file);
        service.assertMaybe(loaded, elements("stays", 500));
        assertCountsAreExact(service, service.describe(loaded).filter());
        service.changes.delete(loaded, false);
      }
    }
    assertEquals(500, service.describe(name).statistics().insertions());
  }

  @Test
  void aFileTakesThePlaceOfAFilterThatCounts() throws IOException {
    var file = export(service, filled(1_000), false);
    var name = service.create(name(), counting(300_000)).name();
    service.add(name, elements("old", 500));
    var before = service.describe(name).filter();
    assertEquals(1, load(name, file).filter().segments());
    assertArrayEquals(new byte[] {2, 1, 0, 15}, counts(name));
    assertEquals(0, count(other.test(name, elements("old", 500))));
    assertEquals(List.of(), service.keysWith(before.generation().incarnation()));
  }

  /** As often as before, as often as in the file, and as often as meanwhile. */
  @ParameterizedTest
  @ValueSource(longs = {1_000, 300_000})
  void whatIsAddedMeanwhileIsCountedToo(long n) throws IOException {
    var file = export(service, filled(n), false);
    var name = service.create(name(), counting(2_000)).name();
    var reader = new FilterFileReader(new ByteArrayInputStream(file));
    service.replacements.createOrReplace(
        name,
        FilterPlan.of(counting(n)),
        next -> {
          other.add(name, List.of(element("a"), element("c")));
          reader.read(new SegmentLoad(next, service.loads));
          service.add(name, List.of(element("a"), element("c"), element("often")));
        },
        NewDeadline.KEEP,
        Quota.NONE);
    assertArrayEquals(new byte[] {4, 1, 2, 15}, counts(name));
    assertCountsAreExact(service, service.describe(name).filter());
  }

  @Test
  void onlyWhatCountsTakesCounters() throws IOException {
    var counters = export(service, filled(1_000), false);
    var bits = export(service, filled(1_000), true);
    var plain = service.create(name(), TestInstance.shape(6400, 3)).name();
    var counted = filled(1_000);
    assertFails(ErrorCode.INVALID_REQUEST, () -> load(plain, counters));
    assertFails(ErrorCode.INVALID_REQUEST, () -> load(counted, bits));
    assertFalse(service.describe(plain).filter().isCounting());
    assertArrayEquals(new byte[] {2, 1, 0, 15}, counts(counted));
  }

  @Test
  void aFileThatIsCutOffOrAlteredChangesNothing() throws IOException {
    var name = filled(1_000);
    var file = export(service, name, false);
    var altered = file.clone();
    altered[file.length / 2] ^= 1;
    for (var bad : List.of(Arrays.copyOf(file, file.length - 1), altered)) {
      var to = name();
      assertFails(ErrorCode.CORRUPT_IMPORT, () -> load(to, bad));
      assertEquals(List.of(), service.keysWith(to.value()));
      assertFails(ErrorCode.CORRUPT_IMPORT, () -> load(name, bad));
    }
    assertArrayEquals(new byte[] {2, 1, 0, 15}, counts(name));
    assertEquals(1, service.describe(name).filter().generation().number());
  }

  /** Also of what nothing was added to, of which no mark is noted. */
  @Test
  void aFullRedisIsExportedFromAndNotImportedTo() throws IOException {
    var empty = service.create(name(), counting(1_000)).name();
    var some = filled(1_000);
    redis.command("CONFIG", "SET", "maxmemory", "1");
    try {
      for (var name : List.of(empty, some)) {
        var file = export(service, name, false);
        assertTrue(ExportedFilter.read(file).isOfMoments());
        assertFails(ErrorCode.STORE_FULL, () -> load(name, file));
      }
    } finally {
      redis.command("CONFIG", "SET", "maxmemory", "0");
    }
    assertArrayEquals(new byte[] {2, 1, 0, 15}, counts(some));
  }

  @Test
  void whatAQuotaDoesNotAllowIsNotMade() throws IOException {
    var file = export(service, filled(1_000), false);
    var bytes = counting(1_000).shape().sizeBytes();
    for (var isAllowed : new boolean[] {true, false}) {
      var to = name();
      var quota =
          new Quota(Optional.of("key"), List.of(to.value()), 0, isAllowed ? bytes : bytes - 1);
      var in = new ByteArrayInputStream(file);
      var format = FileDescription.of(FileFormat.BLOOMGATE);
      if (isAllowed) {
        service.imports.load(to, format, in, quota);
      } else {
        assertFails(ErrorCode.LIMIT_EXCEEDED, () -> service.imports.load(to, format, in, quota));
        assertEquals(List.of(), service.keysWith(to.value() + "}:state"));
      }
    }
  }

  @Test
  void anExportOfWhatIsClearedMeanwhileIsNotFinished() throws IOException {
    var name = filled(300_000);
    var export = service.exports.begin(name, FileFormat.BLOOMGATE);
    service.changes.clear(name);
    assertFails(ErrorCode.FILTER_CHANGED, () -> export.writeTo(OutputStream.nullOutputStream()));
  }

  @Test
  void itKeepsWhatItRefusesWhenItIsFull() throws IOException {
    var name = service.create(name(), counting(100, 1e-9, WhenFull.REJECT)).name();
    service.add(name, elements("in", 100));
    var again = load(name(), export(service, name, false)).filter().name();
    assertFails(ErrorCode.FILTER_FULL, () -> service.add(again, elements("more", 1)));
    service.remove(again, elements("in", 1));
    assertEquals(1, count(service.add(again, elements("more", 1))));
  }

  /**
   * With a twice, b and c once, of which c was removed again, and one more often than is counted.
   */
  private static FilterName filled(long n) {
    var name = service.create(name(), counting(n)).name();
    service.add(name, List.of(element("a"), element("b"), element("a"), element("c")));
    service.add(name, Collections.nCopies(20, element("often")));
    service.remove(name, List.of(element("c")));
    return name;
  }

  private static byte[] counts(FilterName name) {
    return service.count(name, List.of(element("a"), element("b"), element("c"), element("often")));
  }

  private static byte[] export(TestInstance instance, FilterName name, boolean isPlain)
      throws IOException {
    var out = new ByteArrayOutputStream();
    var export = instance.exports.begin(name, FileFormat.BLOOMGATE, isPlain);
    export.writeTo(out);
    assertEquals(export.length(), out.size());
    return out.toByteArray();
  }

  private static Description load(FilterName name, byte[] file) {
    return service.imports.load(
        name, FileDescription.of(FileFormat.BLOOMGATE), new ByteArrayInputStream(file), Quota.NONE);
  }

  private static int count(boolean[] flags) {
    var count = 0;
    for (var flag : flags) {
      count += flag ? 1 : 0;
    }
    return count;
  }
}
