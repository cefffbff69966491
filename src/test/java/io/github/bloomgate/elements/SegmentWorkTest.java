package io.github.bloomgate.elements;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.journal.Blocks;
import io.github.bloomgate.journal.Marks;
import io.github.bloomgate.journal.SegmentCopy;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.SegmentCounts;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What of a batch is journaled. */
class SegmentWorkTest {

  private static final int K = 3;
  private static final FilterShape SHAPE = new FilterShape(1, 4_096, K);

  /** Of many elements one in seven is looked at first. */
  @ParameterizedTest(name = "of {0} elements the first {1} are known: {2} are journaled")
  @CsvSource({
    "1, 0, 1",
    "1, 1, 0",
    "63, 7, 56",
    "64, 0, 64",
    "64, 7, 64",
    "64, 14, 64",
    "64, 15, 49",
    "700, 175, 700",
    "700, 176, 524",
    "700, 700, 0"
  })
  void whereFewAreKnownTheyAreJournaledToo(int count, int known, int journaled) {
    var copy = emptyCopy();
    batch(known).apply(copy, false);
    var batch = batch(count);
    var blocks = Blocks.of(copy, new Marks());
    batch.journal(copy, blocks);

    var other = emptyCopy();
    other.replay(blocks.bytes());
    assertEquals(journaled, other.counts().insertions());
    var flags = batch.apply(copy, false).flags();
    for (var i = 0; i < count; i++) {
      assertEquals(i >= known, flags[i], "whether element " + i + " is new");
    }
    assertEquals(count, copy.counts().insertions());
  }

  /** Elements of which none has a bit of another. */
  private static SegmentWork batch(int count) {
    var positions = IntStream.range(0, count * K).toArray();
    return SegmentWork.of(SegmentWork.Kind.ADD, Durability.PRIMARY, positions, count);
  }

  private static SegmentCopy emptyCopy() {
    return new SegmentCopy(SHAPE, 0, new byte[512], 0, 0, "", new SegmentCounts(0, 0));
  }
}
