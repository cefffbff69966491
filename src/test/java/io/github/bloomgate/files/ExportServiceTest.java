package io.github.bloomgate.files;

import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.FileFormat;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.Beside;
import io.github.bloomgate.support.TestInstance;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Exports while the filter is changed: each is right, or no file. */
class ExportServiceTest {

  private static final Set<ErrorCode> GONE_OR_CHANGED =
      Set.of(ErrorCode.FILTER_CHANGED, ErrorCode.FILTER_NOT_FOUND);

  private static final long SMALL = 2_000_000;
  private static final long TWO_SEGMENTS = (1L << 24) + 64;

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

  @ParameterizedTest
  @ValueSource(longs = {64, SMALL, TWO_SEGMENTS})
  void theFileIsTheFilter(long bitSize) {
    var name = name();
    var filter = service.create(name, TestInstance.shape(bitSize, 4));
    service.add(name, elements("in ", 5));
    var out = new ByteArrayOutputStream();
    var file = ExportedFilter.read(export(name, out));

    assertEquals(name, file.header().name());
    assertEquals(filter.parameters(), file.header().parameters());
    assertEquals(1, file.header().generation());
    assertTrue(file.isOfMoments());
    for (var segment = 0; segment < filter.shape().segments(); segment++) {
      assertEquals(
          await(service.stores.segments().count(filter, segment)), file.counts().get(segment));
      var stored = redis.command("GET", TestStores.keys(filter, segment).get(1)).toBytes();
      assertTrue(Arrays.equals(stored, file.bitmaps().get(segment)));
    }
    assertContainsAll(file, elements("in ", 5));
  }

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(longs = {SMALL, TWO_SEGMENTS})
  void whatWasAcknowledgedBeforeIsInTheFileWhileOthersAdd(long bitSize) throws Exception {
    var name = name();
    service.create(name, TestInstance.shape(bitSize, 4));
    var stop = new AtomicBoolean();
    var acknowledged = new AtomicInteger();
    var adding =
        Beside.run(
            () -> {
              while (!stop.get()) {
                var next = acknowledged.get();
                other.add(name, elements("batch " + next + " ", 20));
                acknowledged.incrementAndGet();
              }
            });
    try {
      for (var round = 0; round < 30; round++) {
        var before = acknowledged.get();
        var out = new ByteArrayOutputStream();
        var file = ExportedFilter.read(export(name, out));
        assertTrue(file.isOfMoments());
        for (var batch = 0; batch < before; batch++) {
          assertContainsAll(file, elements("batch " + batch + " ", 20));
        }
      }
    } finally {
      stop.set(true);
      adding.get();
    }
    assertTrue(acknowledged.get() > 10, "batches added: " + acknowledged);
  }

  @Test
  void aSegmentReadInPiecesSaysWhetherItChangedMeanwhile() throws Exception {
    var name = name();
    service.create(name, TestInstance.shape(SMALL, 4));
    service.add(name, elements("before ", 100));
    var pieces = service.exportsInPieces(65_536);

    var quiet = new ByteArrayOutputStream();
    pieces.begin(name, FileFormat.BLOOMGATE).writeTo(quiet);
    var file = ExportedFilter.read(quiet.toByteArray());
    assertTrue(file.isOfMoments());
    assertEquals(100, file.counts().get(0).insertions());

    var out = new Disturbed(() -> other.add(name, elements("meanwhile ", 100)));
    pieces.begin(name, FileFormat.BLOOMGATE).writeTo(out);
    file = ExportedFilter.read(out.toByteArray());
    assertFalse(file.isOfMoments());
    assertContainsAll(file, elements("before ", 100));
    var now = service.describe(name).statistics().bitsSet();
    assertTrue(file.counts().get(0).bitsSet() < now, "the first piece was read before");
  }

  @Test
  void aFilterThatChangesMeanwhileMakesNoFile() {
    var changes =
        List.<BiConsumer<FilterName, Filter>>of(
            (name, filter) -> other.changes.clear(name),
            (name, filter) -> other.changes.delete(name, false),
            (name, filter) -> other.renames.rename(name, name(), false),
            (name, filter) -> {
              other.changes.delete(name, false);
              other.create(name, filter.parameters());
            });
    for (var bitSize : new long[] {SMALL, TWO_SEGMENTS}) {
      for (var change : changes) {
        var name = name();
        var filter = service.create(name, TestInstance.shape(bitSize, 4));
        service.add(name, elements("in ", 5));
        var out = new Disturbed(() -> change.accept(name, filter));
        assertBrokenOff(GONE_OR_CHANGED, name, out);
      }
    }
  }

  @Test
  void aBitmapThatIsNotAsCountedMakesNoFile() {
    for (var bitSize : new long[] {SMALL, TWO_SEGMENTS}) {
      var name = name();
      var filter = service.create(name, TestInstance.shape(bitSize, 4));
      var last = filter.shape().segments() - 1;
      redis.command("SETBIT", TestStores.keys(filter, last).get(1), "17", "1");
      assertBrokenOff(Set.of(ErrorCode.FILTER_DAMAGED), name, new Disturbed(() -> {}));
    }
  }

  @Test
  void aSegmentThatGoesMissingMakesNoFile() {
    var name = name();
    var filter = service.create(name, TestInstance.shape(TWO_SEGMENTS, 4));
    var key = TestStores.keys(filter, 1).get(1);
    assertBrokenOff(
        Set.of(ErrorCode.FILTER_DAMAGED), name, new Disturbed(() -> redis.command("DEL", key)));
  }

  @Test
  void ordinaryFailuresShowBeforeAnythingIsWritten() {
    var missing = name();
    assertFails(
        ErrorCode.FILTER_NOT_FOUND, () -> service.exports.begin(missing, FileFormat.BLOOMGATE));
    var damaged = service.create(name(), TestInstance.shape(SMALL, 4));
    redis.command("DEL", TestStores.keys(damaged, 0).get(1));
    assertFails(
        ErrorCode.FILTER_DAMAGED,
        () -> service.exports.begin(damaged.name(), FileFormat.BLOOMGATE));
  }

  @Test
  void aFilterThatWasClearedAndIsNotReconciledIsExportedEmpty() {
    var name = name();
    var filter = service.create(name, TestInstance.shape(TWO_SEGMENTS, 4));
    service.add(name, elements("in ", 50));
    service.stores.filters().clear(filter);
    var file = ExportedFilter.read(export(name, new ByteArrayOutputStream()));
    assertEquals(2, file.header().generation());
    assertEquals(0, file.counts().stream().mapToLong(counts -> counts.bitsSet()).sum());
  }

  @Test
  void aFailureOfTheStreamEndsTheExport() {
    var name = name();
    service.create(name, TestInstance.shape(SMALL, 4));
    var export = service.exports.begin(name, FileFormat.BLOOMGATE);
    assertThrows(
        IOException.class,
        () ->
            export.writeTo(
                new OutputStream() {
                  @Override
                  public void write(int value) throws IOException {
                    throw new IOException("The client is gone");
                  }
                }));
  }

  private static byte[] export(FilterName name, ByteArrayOutputStream out) {
    var export = service.exports.begin(name, FileFormat.BLOOMGATE);
    try {
      export.writeTo(out);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    assertEquals(export.length(), out.size());
    return out.toByteArray();
  }

  private static void assertBrokenOff(
      Set<ErrorCode> codes, FilterName name, ByteArrayOutputStream out) {
    var export = service.exports.begin(name, FileFormat.BLOOMGATE);
    var failure = assertThrows(BloomException.class, () -> export.writeTo(out));
    assertTrue(codes.contains(failure.code()), failure.getMessage());
    assertTrue(out.size() < export.length());
    var refused = assertThrows(BloomException.class, () -> ExportedFilter.read(out.toByteArray()));
    assertEquals(ErrorCode.CORRUPT_IMPORT, refused.code());
  }

  private static void assertContainsAll(ExportedFilter file, List<byte[]> some) {
    for (var element : some) {
      assertTrue(file.mightContain(element), "an element is not in the file");
    }
  }

  /** Does something once the first block is written. */
  private static final class Disturbed extends ByteArrayOutputStream {

    private Runnable change;

    Disturbed(Runnable change) {
      this.change = change;
    }

    @Override
    public synchronized void write(byte[] bytes, int start, int length) {
      super.write(bytes, start, length);
      if (change != null && size() > 60_000) {
        change.run();
        change = null;
      }
    }
  }
}
