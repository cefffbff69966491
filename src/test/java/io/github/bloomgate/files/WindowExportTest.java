package io.github.bloomgate.files;

import static io.github.bloomgate.files.FileExchange.export;
import static io.github.bloomgate.files.FileExchange.load;
import static io.github.bloomgate.support.Flags.count;
import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestWindows.assertCountsAreExact;
import static io.github.bloomgate.support.TestWindows.sized;
import static io.github.bloomgate.support.TestWindows.turn;
import static io.github.bloomgate.support.TestWindows.years;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.files.portable.FilterFileReader;
import io.github.bloomgate.files.portable.FilterFileWriter;
import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.model.FileFormat;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.Slice;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.TestInstance;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters that forget go into files, in which each element is as old as it was. */
class WindowExportTest {

  private static final int SLICES = 4;
  private static final int EACH = 200;

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

  /** One segment and several; the slice that it is has nothing yet. */
  @ParameterizedTest
  @ValueSource(longs = {10_000, 1_000_000})
  void eachElementIsAsOldInAFile(long n) throws IOException {
    var filter = service.create(name(), sized(n, years(SLICES, true)));
    for (var slice = 0; slice < 7; slice++) {
      service.add(filter.name(), elements("slice " + slice + " ", EACH));
      turn(service, filter, 1);
    }
    var original = service.describe(filter.name());
    for (var instance : List.of(service, other)) {
      var file = export(instance, filter.name());
      var loaded = load(service, name(), file);
      assertEquals(FilterPlan.like(original.filter()), FilterPlan.like(loaded.filter()));
      assertEquals(original.statistics(), loaded.statistics());
      for (var age = 0; age <= SLICES; age++) {
        assertEquals(original.slices().get(age).bitsSet(), loaded.slices().get(age).bitsSet());
      }
      assertCountsAreExact(service, loaded.filter());
      for (var passed = 0; passed <= SLICES; passed++) {
        assertRemembers(loaded.filter().name(), 7 - SLICES + passed);
        turn(service, loaded.filter(), 1);
      }
    }
  }

  private static void assertRemembers(FilterName name, int from) {
    for (var slice = 0; slice < 7; slice++) {
      for (var instance : List.of(service, other)) {
        assertEquals(
            slice >= from ? EACH : 0,
            count(instance.test(name, elements("slice " + slice + " ", EACH))),
            "of slice " + slice + " from " + from);
      }
    }
  }

  /** The slices of a file began when they did, whenever it is read. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 4, 5, 20})
  void whatIsTooOldWhenItIsImportedIsForgotten(int passed) throws IOException {
    var filter = service.create(name(), sized(10_000, years(SLICES, true)));
    service.add(filter.name(), elements("in", EACH));
    var file = export(service, filter.name());
    var now = service.describe(filter.name()).slices().get(0).openedAt();
    var loaded = load(service, name(), older(file, passed));
    assertEquals(now, loaded.slices().get(0).openedAt());
    for (var age = 0; age <= SLICES; age++) {
      assertEquals(age == passed, loaded.slices().get(age).bitsSet() > 0, "of age " + age);
    }
    var again = loaded.filter().name();
    assertEquals(passed <= SLICES ? EACH : 0, count(other.test(again, elements("in", EACH))));
    assertEquals(EACH, loaded.statistics().insertions());
    assertCountsAreExact(service, loaded.filter());
    turn(service, loaded.filter(), Math.max(0, SLICES - passed));
    assertEquals(passed <= SLICES ? EACH : 0, count(service.test(again, elements("in", EACH))));
    turn(service, loaded.filter(), 1);
    assertEquals(0, count(service.test(again, elements("in", EACH))));
  }

  /** Else it would remember all until that time has come. */
  @ParameterizedTest
  @ValueSource(ints = {1, 7, 1_000})
  void aFileOfAClockThatWasAheadBeginsNow(int ahead) throws IOException {
    var filter = service.create(name(), sized(10_000, years(SLICES, true)));
    service.add(filter.name(), elements("old", EACH));
    var now = service.describe(filter.name()).slices().get(0).openedAt();
    turn(service, filter, 2);
    service.add(filter.name(), elements("new", EACH));
    var loaded = load(service, name(), older(export(service, filter.name()), -ahead));
    assertEquals(now, loaded.slices().get(0).openedAt());
    var again = loaded.filter().name();
    turn(service, loaded.filter(), SLICES - 2);
    service.assertMaybe(again, elements("old", EACH));
    turn(service, loaded.filter(), 1);
    assertEquals(0, count(service.test(again, elements("old", EACH))));
    service.assertMaybe(again, elements("new", EACH));
    turn(service, loaded.filter(), 2);
    assertEquals(0, count(service.test(again, elements("new", EACH))));
  }

  /** From its first slice on. */
  @ParameterizedTest
  @ValueSource(ints = {0, 100, 900, 1_900})
  void aFileForgetsByInsertionsAsItsOriginal(int before) throws IOException {
    var name = name();
    service.create(name, sized(1_000, Window.ofInsertions(1_000, SLICES, true)));
    service.add(name, elements("e", before));
    var again = load(service, name(), export(service, name)).filter().name();
    for (var round = 0; round < 10; round++) {
      var some = elements("round " + round + " ", 137);
      List.of(name, again).forEach(one -> other.add(one, some));
      assertArrayEquals(
          service.test(name, elements("e", before)), service.test(again, elements("e", before)));
    }
    assertEquals(service.describe(name).slices(), service.describe(again).slices());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatIsAddedMeanwhileStays(boolean byTime) throws IOException {
    var window = byTime ? years(SLICES, true) : Window.ofInsertions(4_000, SLICES, true);
    var parameters = sized(4_000, window);
    var from = service.create(name(), parameters).name();
    service.add(from, elements("in", EACH));
    var file = new FilterFileReader(new ByteArrayInputStream(export(service, from)));
    var name = service.create(name(), parameters).name();
    service.add(name, elements("lost", EACH));
    service.replacements.createOrReplace(
        name,
        FilterPlan.of(parameters),
        next -> {
          other.add(name, elements("before", EACH));
          file.read(new SegmentLoad(next, service.loads));
          service.add(name, elements("after", EACH));
        },
        NewDeadline.KEEP,
        Quota.NONE);
    for (var some : List.of("in", "before", "after")) {
      other.assertMaybe(name, elements(some, EACH));
    }
    assertEquals(0, count(service.test(name, elements("lost", EACH))));
    assertCountsAreExact(service, service.describe(name).filter());
  }

  /** What was answered before the export is in its file, also when slices begin meanwhile. */
  @Test
  void aFileIsOfOneMomentWhileElementsComeAndSlicesBegin() throws Exception {
    var filter = service.create(name(), sized(200_000, years(64, true)));
    for (var round = 0; round < 8; round++) {
      var some = elements("round " + round + " ", EACH);
      service.add(filter.name(), some);
      var busy =
          service.begin(
              () -> {
                turn(service, filter, 1);
                other.add(filter.name(), elements("more", 2 * EACH));
              });
      var loaded = load(service, name(), export(service, filter.name())).filter();
      busy.join();
      service.assertMaybe(loaded.name(), some);
      assertCountsAreExact(service, loaded);
      service.changes.delete(loaded.name(), false);
    }
  }

  @Test
  void onlyWhatForgetsTakesItsPlace() throws IOException {
    var filter = windowed();
    var plain = service.create(name(), TestInstance.shape(6400, 3)).name();
    var bits = export(service, plain);
    assertFails(ErrorCode.INVALID_REQUEST, () -> load(service, filter.name(), bits));
    other.assertMaybe(filter.name(), elements("in", EACH));
    // A filter that never forgot may get a window, as by a rebuild.
    assertTrue(load(service, plain, export(service, filter.name())).filter().window().isPresent());
    other.assertMaybe(plain, elements("in", EACH));
  }

  @Test
  void aFileThatIsCutOffOrAlteredChangesNothing() throws IOException {
    var filter = windowed();
    var file = export(service, filter.name());
    var altered = file.clone();
    altered[file.length - 80] ^= 1;
    for (var bad : List.of(Arrays.copyOf(file, file.length - 1), altered)) {
      var to = name();
      assertFails(ErrorCode.CORRUPT_IMPORT, () -> load(service, to, bad));
      assertEquals(List.of(), service.keysWith(to.value()));
      assertFails(ErrorCode.CORRUPT_IMPORT, () -> load(service, filter.name(), bad));
    }
    other.assertMaybe(filter.name(), elements("in", EACH));
  }

  @Test
  void noOtherFormatHasSlices() {
    var name = windowed().name();
    for (var format : FileFormat.values()) {
      if (format != FileFormat.BLOOMGATE) {
        assertFails(ErrorCode.INVALID_REQUEST, () -> service.exports.begin(name, format));
      }
      assertFails(ErrorCode.INVALID_REQUEST, () -> service.exports.begin(name, format, true));
    }
  }

  private static Filter windowed() {
    var filter = service.create(name(), sized(10_000, years(SLICES, true)));
    service.add(filter.name(), elements("in", EACH));
    return filter;
  }

  /** A file whose slices began some slices earlier. */
  private static byte[] older(byte[] file, int slices) throws IOException {
    var read = ExportedFilter.read(file);
    var out = new ByteArrayOutputStream();
    var writer = new FilterFileWriter(out, read.header());
    for (var segment = 0; segment < read.bitmaps().size(); segment++) {
      var newest = read.newest().get(segment);
      var number = newest.number() - slices;
      writer.write(read.bitmaps().get(segment));
      writer.newestSlice(new Slice(number, newest.taken(), number));
      writer.endSegment(read.counts().get(segment).insertions(), true);
    }
    writer.end();
    return out.toByteArray();
  }
}
