package io.github.bloomgate.segment;

import static io.github.bloomgate.segment.SegmentHistory.stateOf;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.segment.SegmentHistory.Kind;
import io.github.bloomgate.support.Seeded;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Invalid segments are refused, unless their bytes are plausible. */
class SegmentStrictnessTest extends Seeded {

  @Test
  void blocksAreReadAsTheyWereWritten() {
    var stored = new StoredSegment(Kind.COUNTING.format(), true);
    for (var i = 0; i < 20; i++) {
      var k = SegmentHistory.K;
      var writer = new BlockWriter(k, Block.MOST_ENTRIES);
      var entries = random.ints(50L * k, 0, 1 << 24).toArray();
      var isRemoval = random.nextBoolean();
      for (var entry = 0; entry < 50; entry++) {
        assertTrue(writer.append(isRemoval, entries, entry * k));
      }
      assertFalse(writer.append(!isRemoval, entries, 0));
      assertFalse(Arrays.equals(writer.mark(), new byte[Block.MARK_BYTES]));
      var stamp = random.nextLong(1L << 48);
      var from = stored.bytes().length;
      stored.append(writer.bytes(), stamp);
      assertEquals(writer.appendedBytes(), stored.bytes().length - from);
      var reader = new BlockReader(stored.bytes(), from, k);
      assertTrue(reader.next());
      assertEquals(50, reader.entries());
      assertEquals(isRemoval, reader.isRemoval());
      assertEquals(stamp, reader.stamp());
      assertArrayEquals(writer.mark(), reader.mark());
      var cut = random.nextInt(51);
      assertArrayEquals(Arrays.copyOf(entries, cut * k), reader.positions(0, cut));
      assertArrayEquals(
          Arrays.copyOfRange(entries, cut * k, entries.length), reader.positions(cut, 50));
      assertFalse(reader.next());
    }
  }

  @Test
  void aBlockHasRoomForItsMostEntriesOnly() {
    var writer = new BlockWriter(1, Block.MOST_ENTRIES);
    for (var i = 0; i < Block.MOST_ENTRIES; i++) {
      assertTrue(writer.append(false, new int[] {i}, 0));
    }
    assertFalse(writer.append(false, new int[] {0}, 0));
    var stored = new StoredSegment(Kind.ACCEPTING.format(), true);
    var from = stored.bytes().length;
    stored.append(writer.bytes(), 1);
    var reader = new BlockReader(stored.bytes(), from, 1);
    assertTrue(reader.next());
    assertEquals(Block.MOST_ENTRIES, reader.entries());
  }

  private StoredSegment filled(Kind kind) {
    var history = new SegmentHistory(kind, random);
    var stored = new StoredSegment(kind.format(), false);
    for (var i = 0; i < 12; i++) {
      stored.append(history.block(), history.tick());
    }
    var copy = SegmentCopy.read(kind.format(), stored.bytes());
    stored.patch(copy.patch().orElseThrow());
    for (var i = 0; i < 3; i++) {
      stored.append(history.block(), history.tick());
    }
    return stored;
  }

  /** A segment that ends with a block is valid, because a replica may lack the last blocks. */
  @ParameterizedTest
  @EnumSource
  void aTruncatedSegmentIsRefusedUnlessItEndsWithABlock(Kind kind) {
    var bytes = filled(kind).bytes();
    var whole = SegmentCopy.read(kind.format(), bytes);
    var readable = 0;
    for (var length = 0; length < bytes.length; length++) {
      var cut = Arrays.copyOf(bytes, length);
      if (isReadable(kind, cut)) {
        readable++;
        assertFalse(stateOf(whole).equals(stateOf(SegmentCopy.read(kind.format(), cut))));
      }
    }
    assertEquals(3, readable, "seed " + seed);
  }

  private static boolean isReadable(Kind kind, byte[] bytes) {
    try {
      SegmentCopy.read(kind.format(), bytes);
      return true;
    } catch (IllegalArgumentException refused) {
      return false;
    }
  }

  /**
   * No other byte depends on the insertions, the newest stamp and the mark at the base. If base and
   * folded move together, the same journal is at other positions, and {@code advance} detects that,
   * because the marks of copies are not there.
   */
  @ParameterizedTest
  @EnumSource
  void alteredHeadersAreRefused(Kind kind) {
    var bytes = filled(kind).bytes();
    var at = kind.format().bitmapBytes();
    var end = at + kind.format().headerBytes() - Block.MARK_BYTES;
    for (var field = at; field < end; field += Long.BYTES) {
      var isFree = field == at + 4 * Long.BYTES || field == at + 5 * Long.BYTES;
      var altered = bytes.clone();
      var number = ByteBuffer.wrap(altered).getLong(field);
      ByteBuffer.wrap(altered).putLong(field, number + 1);
      // Start, end and elements of a ring cannot be verified, except for their order.
      var isOfRing = kind.name().startsWith("BY_") || kind == Kind.REFRESHED;
      if (!isFree && !(isOfRing && field >= at + 7 * Long.BYTES)) {
        assertFalse(isReadable(kind, altered), (field - at) / 8 + ", seed " + seed);
      }
      ByteBuffer.wrap(altered).putLong(field, -1);
      assertFalse(isReadable(kind, altered), (field - at) / 8 + ", seed " + seed);
    }
  }

  @Test
  void ringsThatContradictTheirBitsAreRefused() {
    var kind = Kind.BY_TIME;
    var bytes = filled(kind).bytes();
    var rings = kind.format().bitmapBytes() + 7 * Long.BYTES;
    for (var part = 0; part < 4; part++) {
      var altered = bytes.clone();
      ByteBuffer.wrap(altered).putLong(rings + part * Long.BYTES, 0);
      assertFalse(isReadable(kind, altered), "part " + part + ", seed " + seed);
    }
    var fuller = bytes.clone();
    var fill = rings + 3 * Long.BYTES;
    ByteBuffer.wrap(fuller).putLong(fill, ByteBuffer.wrap(fuller).getLong(fill) + 1);
    assertFalse(isReadable(kind, fuller));
  }

  @ParameterizedTest
  @EnumSource
  void anAlteredBitIsRefused(Kind kind) {
    var bytes = filled(kind).bytes();
    bytes[random.nextInt(kind.format().bitmapBytes())] ^= (byte) (1 << random.nextInt(8));
    assertFalse(isReadable(kind, bytes), "seed " + seed);
  }

  @ParameterizedTest
  @EnumSource
  void aSegmentWithContentAndNoBitmapIsRefused(Kind kind) {
    var header = kind.format().emptyHeader().toBytes();
    assertFalse(isReadable(kind, header), "without a block");
    // A block without entries.
    var bytes = Arrays.copyOf(header, header.length + Block.bytes(0, SegmentHistory.K));
    bytes[bytes.length - 1] = 1;
    assertTrue(isReadable(kind, bytes));
    for (var field = Long.BYTES; field < header.length; field += Long.BYTES) {
      var altered = bytes.clone();
      ByteBuffer.wrap(altered).putLong(field, 1);
      assertFalse(isReadable(kind, altered), "field at " + field);
    }
  }

  @Test
  void entriesOfAnotherKindOrBeyondTheSegmentAreRefused() {
    var format = Kind.ACCEPTING.format();
    var stored = new StoredSegment(format, false);
    var block = new BlockWriter(SegmentHistory.K, Block.MOST_ENTRIES);
    block.append(true, new int[SegmentHistory.K], 0);
    stored.append(block.bytes(), 1);
    var copy = SegmentCopy.empty(format);
    assertThrows(IllegalArgumentException.class, () -> copy.apply(stored.behind(0)));
    var beyond = new BlockWriter(SegmentHistory.K, Block.MOST_ENTRIES);
    beyond.append(false, new int[] {0, 0, 0, 0, copy.content().positions()}, 0);
    var other = new StoredSegment(format, false);
    other.append(beyond.bytes(), 1);
    assertThrows(IllegalArgumentException.class, () -> copy.apply(other.behind(0)));
    var reserved = new StoredSegment(format, false);
    var flagged = new SegmentHistory(Kind.ACCEPTING, random).block();
    flagged[Block.MARK_BYTES] |= (byte) 0x80;
    reserved.append(flagged, 1);
    assertThrows(IllegalArgumentException.class, () -> copy.apply(reserved.behind(0)));
  }
}
