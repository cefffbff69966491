package io.github.bloomgate.elements;

import io.github.bloomgate.journal.Blocks;
import io.github.bloomgate.journal.SegmentCopy;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.store.SegmentBatch;
import java.util.Arrays;
import java.util.BitSet;

/**
 * What is to be done with a copy of a segment, when it has been brought to what Redis holds.
 *
 * @param durability what elements that are added or removed must have reached
 * @param positions bit offsets, as many for each element as there are hash functions
 * @param first index of the first element in {@code positions}
 * @param count how many elements
 */
record SegmentWork(Kind kind, Durability durability, int[] positions, int first, int count) {

  /** What is done. */
  enum Kind {
    /** Elements are added. */
    ADD,
    /** Elements are removed. */
    REMOVE,
    /** Elements are tested. */
    TEST,
    /** Likewise, and how often each was added. */
    COUNT,
    /** Nothing, but that what is journaled comes into the bitmap. */
    REST,
    /** Likewise, and the journal is dropped then. */
    DROP;

    /** Whether elements are added or removed. */
    boolean changes() {
      return this == ADD || this == REMOVE;
    }
  }

  /** The elements of a batch. */
  static SegmentWork of(SegmentBatch batch, Kind kind, Durability durability) {
    var positions = new int[batch.positions().length];
    for (var i = 0; i < positions.length; i++) {
      positions[i] = (int) batch.positions()[i];
    }
    return new SegmentWork(kind, durability, positions, 0, batch.elements().length);
  }

  /** Work on no element. */
  static SegmentWork rest(boolean drop) {
    return new SegmentWork(drop ? Kind.DROP : Kind.REST, Durability.PRIMARY, new int[0], 0, 0);
  }

  boolean changes() {
    return kind.changes();
  }

  /**
   * Journals the elements to be added that a copy does not know yet, and all to be removed: whether
   * these are there others may just have changed.
   */
  void journal(SegmentCopy copy, Blocks blocks) {
    if (changes()) {
      var k = copy.numHashFunctions();
      for (var from = first * k; from < (first + count) * k; from += k) {
        if (kind == Kind.REMOVE) {
          blocks.remove(positions, from);
        } else if (!copy.isSettled(positions, from)) {
          blocks.add(positions, from);
        }
      }
    }
  }

  /**
   * Does it with a copy. What a copy of a filter that grows refuses does not end it.
   *
   * @return what became of the elements
   */
  Applied apply(SegmentCopy copy, boolean grows) {
    return switch (kind) {
      case ADD -> add(copy, grows);
      case COUNT -> count(copy);
      case REMOVE, TEST, REST, DROP -> {
        var k = copy.numHashFunctions();
        var flags = new boolean[count];
        for (var i = 0; i < count; i++) {
          var from = (first + i) * k;
          flags[i] =
              kind == Kind.REMOVE ? copy.remove(positions, from) : copy.contains(positions, from);
        }
        yield new Applied(flags, SegmentResult.NONE, SegmentResult.NO_COUNTS);
      }
    };
  }

  private Applied count(SegmentCopy copy) {
    var k = copy.numHashFunctions();
    var counts = new byte[count];
    var flags = new boolean[count];
    for (var i = 0; i < count; i++) {
      counts[i] = (byte) copy.count(positions, (first + i) * k);
      flags[i] = counts[i] > 0;
    }
    return new Applied(flags, SegmentResult.NONE, counts);
  }

  private Applied add(SegmentCopy copy, boolean grows) {
    var k = copy.numHashFunctions();
    var flags = new boolean[count];
    var refused = SegmentResult.NONE;
    for (var i = 0; i < count; i++) {
      var from = (first + i) * k;
      switch (copy.add(positions, from)) {
        case NEW -> flags[i] = true;
        case KNOWN -> flags[i] = false;
        case REFUSED -> {
          if (!grows) {
            return new Applied(Arrays.copyOf(flags, i), refused, SegmentResult.NO_COUNTS);
          }
          refused = refused.isEmpty() ? new BitSet(count) : refused;
          refused.set(i);
        }
      }
    }
    return new Applied(flags, refused, SegmentResult.NO_COUNTS);
  }

  /** What became of the elements, as {@link SegmentResult} has it. */
  record Applied(boolean[] flags, BitSet refused, byte[] counts) {}
}
