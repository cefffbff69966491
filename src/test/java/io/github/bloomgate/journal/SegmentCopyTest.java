package io.github.bloomgate.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.hash.NativeScheme;
import io.github.bloomgate.model.SegmentCounts;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Copies that replay the same journal have the same content. */
class SegmentCopyTest {

  private static final int K = 5;
  private static final FilterShape SHAPE = new FilterShape(1, 4_096, K);
  private static final byte[] EMPTY = new byte[512];

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private final Marks marks = new Marks();

  @Test
  void aFollowerHasWhatTheWriterHas() {
    var writer = copy(0);
    var follower = copy(0);
    var model = new BitSet();
    var insertions = 0;
    for (var round = 0; round < 50; round++) {
      var positions = positions(random.nextInt(1, 300));
      var blocks = new Blocks(marks, K);
      for (var i = 0; i < positions.length; i += K) {
        var before = model.cardinality();
        Arrays.stream(positions, i, i + K).forEach(model::set);
        var isNew = model.cardinality() > before;
        insertions += isNew ? 1 : 0;
        blocks.add(positions, i);
        assertEquals(
            isNew ? Added.NEW : Added.KNOWN, writer.content().add(positions, i), "seed " + seed);
      }
      var bytes = blocks.bytes();
      writer.journaled(bytes.length, blocks.mark());
      follower.replay(bytes);
      assertEquals(writer.reached(), follower.reached(), "seed " + seed);
      assertEquals(blocks.mark(), follower.reached().mark());
    }
    var counts = new SegmentCounts(model.cardinality(), insertions);
    assertEquals(counts, writer.counts(), "seed " + seed);
    assertEquals(counts, follower.counts(), "seed " + seed);
    assertArrayEquals(writer.snapshot(), follower.snapshot());
    for (var bit = 0; bit < 4_096; bit++) {
      var set = (writer.snapshot()[bit >>> 3] & 0x80 >>> (bit & 7)) != 0;
      assertEquals(model.get(bit), set, "seed " + seed);
    }
  }

  /** To test an element its bits are located one by one; to add it, all before. */
  @Test
  void anElementIsFoundByItsHashAsByItsBits() {
    var scheme = (NativeScheme) HashSchemes.nativeScheme();
    var copy = copy(0);
    var found = 0;
    for (var i = 0; i < 2_000; i++) {
      var element = ("element " + random.nextLong()).getBytes(UTF_8);
      var words = new long[2];
      scheme.hash(element, 0, element.length, words);
      var located = new long[K];
      scheme.locate(element, SHAPE, located);
      var positions = Arrays.stream(located).mapToInt(position -> (int) position).toArray();
      var isThere = copy.content().contains(positions, 0);
      assertEquals(isThere, copy.content().contains(words[0], words[1]), "seed " + seed);
      found += isThere ? 1 : 0;
      if (i % 3 == 0) {
        copy.content().add(positions, 0);
        assertTrue(copy.content().contains(words[0], words[1]), "seed " + seed);
      }
    }
    assertTrue(found > 0 && found < 2_000, "seed " + seed);
  }

  @Test
  void aCopyOfSnapshotAndJournalIsThatOfAllThatWasAdded() {
    var writer = copy(0);
    var first = journal(writer, positions(100));
    var snapshot = writer.snapshot();
    var counts = writer.counts();
    var folded = writer.reached().position();
    var second = journal(writer, positions(200));
    var read = Arrays.copyOf(snapshot, snapshot.length + first.length + second.length);
    System.arraycopy(first, 0, read, snapshot.length, first.length);
    System.arraycopy(second, 0, read, snapshot.length + first.length, second.length);
    var mark = writer.reached().mark();
    var reader = new SegmentCopy(SHAPE, 0, read, 0, folded, mark, counts);
    assertEquals(writer.reached(), reader.reached());
    assertEquals(writer.counts(), reader.counts());
    assertArrayEquals(writer.snapshot(), reader.snapshot());
    assertEquals(second.length, reader.unfolded());
    var wrong = new SegmentCounts(counts.bitsSet() + 1, counts.insertions());
    assertThrows(
        IllegalArgumentException.class,
        () -> new SegmentCopy(SHAPE, 0, read, 0, folded, mark, wrong));
    assertThrows(
        IllegalArgumentException.class,
        () -> new SegmentCopy(SHAPE, 0, new byte[511], 0, 0, mark, new SegmentCounts(0, 0)));
  }

  /** Which elements a full segment refuses follows from their order alone. */
  @Test
  void allRefuseTheSame() {
    var writer = copy(20);
    var follower = copy(20);
    var positions = positions(40);
    var results = new Added[40];
    var blocks = new Blocks(marks, K);
    for (var i = 0; i < results.length; i++) {
      blocks.add(positions, i * K);
      results[i] = writer.content().add(positions, i * K);
    }
    follower.replay(blocks.bytes());
    assertEquals(20, Arrays.stream(results).filter(Added.NEW::equals).count());
    assertTrue(Arrays.asList(results).contains(Added.REFUSED));
    assertTrue(writer.content().isFull() && follower.content().isFull());
    assertEquals(20, follower.counts().insertions());
    assertArrayEquals(writer.snapshot(), follower.snapshot());
    assertEquals(Added.KNOWN, follower.content().add(positions, 0));
  }

  @Test
  void whatIsNoJournalIsRefused() {
    var blocks = new Blocks(marks, K);
    blocks.add(positions(1), 0);
    var bytes = blocks.bytes();
    for (var length = 1; length < bytes.length; length++) {
      var cut = Arrays.copyOf(bytes, length);
      assertThrows(IllegalArgumentException.class, () -> copy(0).replay(cut));
    }
    assertThrows(IllegalArgumentException.class, () -> copy(0).replay(new byte[100]));
    bytes[2] = (byte) 0xff;
    assertThrows(IllegalArgumentException.class, () -> copy(0).replay(bytes));
  }

  /** So that a script can replay one block at a time. */
  @Test
  void blocksAreShort() {
    var blocks = new Blocks(marks, K);
    var positions = positions(1_000);
    for (var i = 0; i < positions.length; i += K) {
      blocks.add(positions, i);
    }
    var bytes = blocks.bytes();
    for (var at = 0; at < bytes.length; ) {
      var count = (bytes[at] & 0xff) << 8 | (bytes[at + 1] & 0xff);
      assertTrue(count > 0 && count * K <= 1_024, count + " entries");
      at += 2 + 3 * K * count + 16;
    }
    assertTrue(new Blocks(marks, K).isEmpty());
    assertEquals("", new Blocks(marks, K).mark());
  }

  /** What is kept of it lets followers catch up that are a little behind a new snapshot. */
  @Test
  void aLittleHistoryIsKept() {
    var copy = copy(0);
    assertFalse(copy.isLong());
    while (!copy.isLong()) {
      journal(copy, positions(10));
    }
    var back = copy.reached().position() - copy.history().position();
    assertTrue(back > 0 && back <= copy.longBytes() / 4, back + " bytes");
    copy.written("mark");
    assertEquals(copy.reached(), copy.history());
    assertEquals(0, copy.kept());
    assertFalse(copy.isLong());
  }

  private byte[] journal(SegmentCopy copy, int[] positions) {
    var blocks = new Blocks(marks, K);
    for (var i = 0; i < positions.length; i += K) {
      blocks.add(positions, i);
      copy.content().add(positions, i);
    }
    var bytes = blocks.bytes();
    copy.journaled(bytes.length, blocks.mark());
    return bytes;
  }

  private int[] positions(int elements) {
    return random.ints((long) elements * K, 0, 4_096).toArray();
  }

  private static SegmentCopy copy(long maxInsertions) {
    return new SegmentCopy(
        SHAPE, maxInsertions, EMPTY, 0, 0, "0123456789abcdef", new SegmentCounts(0, 0));
  }
}
