package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.files.portable.FileDescription;
import io.github.bloomgate.files.portable.FileFormat;
import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.support.AnyKind;
import io.github.bloomgate.support.TestInstance;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The progress of copies, merges and imports, after each call to Redis. */
class ContentTransfersTest extends RebuiltFilters {

  /** The bytes written at each moment of each transfer. */
  private static Map<ContentTransfer, Set<Long>> progress(TestInstance slow, Runnable work) {
    var transfers = slow.get(ContentTransfers.class);
    var seen = new LinkedHashMap<ContentTransfer, Set<Long>>();
    slow.steps().hold();
    var doing = slow.begin(work);
    while (!doing.isDone()) {
      for (var transfer : transfers.running()) {
        seen.computeIfAbsent(transfer, first -> new HashSet<>()).add(transfer.doneBytes());
      }
      slow.go(1);
    }
    slow.steps().release();
    var failure = TestInstance.failureOf(doing).map(BloomException::code);
    assertEquals(Optional.empty(), failure);
    assertEquals(List.of(), transfers.running(), "transfers left over");
    return seen;
  }

  private static ContentTransfer only(Map<ContentTransfer, Set<Long>> seen) {
    assertEquals(1, seen.size(), "transfers: " + seen);
    return seen.keySet().iterator().next();
  }

  private static Generation filter(AnyKind kind) {
    var name = kind.create(first);
    first.add(name, elements("in ", 1_000));
    return first.describe(name).live();
  }

  private static void assertProgress(
      ContentTransfer.Kind kind, FilterName to, long total, Map<ContentTransfer, Set<Long>> seen) {
    var transfer = only(seen);
    assertEquals(kind, transfer.kind());
    assertEquals(to, transfer.filter());
    assertEquals(total, transfer.totalBytes());
    assertEquals(total, transfer.doneBytes(), "at its end");
  }

  @ParameterizedTest
  @EnumSource
  void copiesMergesAndImportsEndWithAllBytes(AnyKind kind) throws IOException {
    var from = filter(kind);
    var other = filter(kind);
    var file = new ByteArrayOutputStream();
    first.exports.begin(from.name(), FileFormat.BLOOMGATE, false).writeTo(file);
    try (var slow = TestInstance.stepwise(redis)) {
      var copy = name();
      var seen = progress(slow, () -> copy(slow, from.name(), copy));
      assertProgress(ContentTransfer.Kind.COPY, copy, from.sizeBytes(), seen);

      var imported = name();
      seen = progress(slow, () -> load(slow, imported, file.toByteArray()));
      assertProgress(ContentTransfer.Kind.IMPORT, imported, from.sizeBytes(), seen);

      if (kind.isMerged()) {
        seen = progress(slow, () -> merge(slow, from.name(), other.name()));
        // A library's bitmap is united block by block.
        var times = kind == AnyKind.ADOPTED ? 1 : 2;
        assertProgress(ContentTransfer.Kind.MERGE, from.name(), times * from.sizeBytes(), seen);
      }
    }
  }

  @Test
  void progressGrowsWithEachSegment() throws IOException {
    var from = filter(AnyKind.SEVERAL_SEGMENTS);
    var file = new ByteArrayOutputStream();
    first.exports.begin(from.name(), FileFormat.BLOOMGATE, false).writeTo(file);
    try (var slow = TestInstance.stepwise(redis)) {
      var expected = Set.of(0L, from.layer(0).shape().segmentBytes());
      var seen = progress(slow, () -> copy(slow, from.name(), name()));
      assertTrue(seen.get(only(seen)).containsAll(expected), seen.values().toString());
      seen = progress(slow, () -> load(slow, name(), file.toByteArray()));
      assertTrue(seen.get(only(seen)).containsAll(expected), seen.values().toString());
    }
  }

  @Test
  void aFailedCopyIsNoLongerListed() {
    var from = filter(AnyKind.SEVERAL_SEGMENTS);
    try (var slow = TestInstance.stepwise(redis)) {
      var transfers = slow.get(ContentTransfers.class);
      var gone = new Disturbance(1, () -> assertEquals(1, transfers.running().size()));
      slow.begin(
              () ->
                  slow.copies.copy(
                      from.name(),
                      name(),
                      false,
                      NEVER,
                      Quota.NONE,
                      new Client("leaving", () -> gone.getAsBoolean() || gone.hasBeen())))
          .handle((done, thrown) -> thrown)
          .join();
      assertTrue(gone.hasBeen());
      assertEquals(List.of(), transfers.running());
    }
  }

  private static void copy(TestInstance instance, FilterName from, FilterName to) {
    instance.copies.copy(from, to, false, NEVER, Quota.NONE, Client.SERVICE);
  }

  private static void merge(TestInstance instance, FilterName name, FilterName other) {
    instance.merges.merge(name, List.of(other), OptionalDouble.of(1), Client.SERVICE);
  }

  private static void load(TestInstance instance, FilterName to, byte[] file) {
    instance.imports.load(
        to, FileDescription.of(FileFormat.BLOOMGATE), new ByteArrayInputStream(file), Quota.NONE);
  }
}
