package io.github.bloomgate.files;

import static io.github.bloomgate.files.FileExchange.export;
import static io.github.bloomgate.files.FileExchange.load;
import static io.github.bloomgate.support.Flags.count;
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
import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.model.FileDescription;
import io.github.bloomgate.model.FileFormat;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.support.TestInstance;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters that count go into files with their counters, and come back. */
class CountingExportTest extends CountedOnRedis {

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
      var loaded = load(service, name(), file);
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
        load(service, loaded, file);
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
    assertEquals(1, load(service, name, file).filter().segments());
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
    assertFails(ErrorCode.INVALID_REQUEST, () -> load(service, plain, counters));
    assertFails(ErrorCode.INVALID_REQUEST, () -> load(service, counted, bits));
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
      assertFails(ErrorCode.CORRUPT_IMPORT, () -> load(service, to, bad));
      assertEquals(List.of(), service.keysWith(to.value()));
      assertFails(ErrorCode.CORRUPT_IMPORT, () -> load(service, name, bad));
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
        assertFails(ErrorCode.STORE_FULL, () -> load(service, name, file));
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
    var again = load(service, name(), export(service, name, false)).filter().name();
    assertFails(ErrorCode.FILTER_FULL, () -> service.add(again, elements("more", 1)));
    service.remove(again, elements("in", 1));
    assertEquals(1, count(service.add(again, elements("more", 1))));
  }
}
