package io.github.bloomgate.store;

import io.github.bloomgate.segment.SegmentFormat;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Questions about segments of one layer of a generation. */
public record SegmentGroup(
    StoredGeneration generation, SegmentFormat format, List<Question> questions) {

  /**
   * A question about one segment, and a block to append to it.
   *
   * @param segment its index
   * @param position the position up to which the caller knows it; 0 if it did not exist
   * @param mark the mark at that position; zeros if the segment did not exist
   * @param block the mark of a block, its count and flags, its entries; empty to append nothing
   */
  public record Question(int segment, long position, byte[] mark, byte[] block) {}

  /** The key of the state, then those of the segments. */
  List<String> keys() {
    var keys = new ArrayList<>(List.of(generation.stateKey()));
    questions.forEach(question -> keys.add(generation.segmentKey(question.segment)));
    return keys;
  }

  boolean appends() {
    return questions.stream().anyMatch(question -> question.block.length > 0);
  }

  /** The indexes of the segments, 2 bytes each. */
  byte[] indexes() {
    var indexes = ByteBuffer.allocate(Short.BYTES * questions.size());
    questions.forEach(question -> indexes.putShort((short) question.segment));
    return indexes.array();
  }
}
