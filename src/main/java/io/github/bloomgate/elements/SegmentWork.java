package io.github.bloomgate.elements;

import io.github.bloomgate.elements.ElementHashes.Words;
import io.github.bloomgate.journal.Blocks;
import io.github.bloomgate.journal.SegmentCopy;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.store.SegmentBatch;
import io.github.bloomgate.store.SegmentResult;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;

/**
 * What is to be done with a copy of a segment, when it has been brought to what Redis holds.
 *
 * @param durability what elements that are added or removed must have reached
 * @param positions bit offsets, as many for each element as there are hash functions
 * @param words the hashes of elements to be tested, in place of positions
 * @param count how many elements
 */
record SegmentWork(
    Kind kind, Durability durability, int[] positions, Optional<Words> words, int count) {

  /**
   * From so many elements on some are looked at before all are: looking takes a fifth of an add.
   */
  private static final int MANY = 64;

  /** One of so many. Known elements may come at regular distances, of which this is a rare one. */
  private static final int SAMPLED = 7;

  /** If more than this part is known, looking at all is worth it. */
  private static final int KNOWN_PART = 4;

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
    return of(kind, durability, positions, batch.elements().length);
  }

  /** Elements whose bits were located. */
  static SegmentWork of(Kind kind, Durability durability, int[] positions, int count) {
    return new SegmentWork(kind, durability, positions, Optional.empty(), count);
  }

  /** Elements to be tested in bits of a native scheme. */
  static SegmentWork test(Words words) {
    return new SegmentWork(
        Kind.TEST, Durability.PRIMARY, new int[0], Optional.of(words), words.count());
  }

  /** Work on no element. */
  static SegmentWork rest(boolean drop) {
    return of(drop ? Kind.DROP : Kind.REST, Durability.PRIMARY, new int[0], 0);
  }

  boolean changes() {
    return kind.changes();
  }

  /**
   * Journals the elements to be added that a copy does not know yet, and all to be removed: whether
   * these are there others may just have changed. Of many to be added all are journaled if few of
   * some of them are known: to journal a known one is needless, but changes nothing, and some that
   * are new are journaled anyway.
   */
  void journal(SegmentCopy copy, Blocks blocks) {
    if (!changes()) {
      return;
    }
    var isEachLookedAt = kind == Kind.ADD && (count < MANY || manyAreKnown(copy));
    var k = copy.numHashFunctions();
    for (var from = 0; from < count * k; from += k) {
      if (kind == Kind.REMOVE) {
        blocks.remove(positions, from);
      } else if (!isEachLookedAt || !copy.content().isSettled(positions, from)) {
        blocks.add(positions, from);
      }
    }
  }

  private boolean manyAreKnown(SegmentCopy copy) {
    var k = copy.numHashFunctions();
    var known = 0;
    for (var i = 0; i < count; i += SAMPLED) {
      known += copy.content().isSettled(positions, i * k) ? SAMPLED : 0;
    }
    return known > count / KNOWN_PART;
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
      case REMOVE -> new Applied(remove(copy), SegmentResult.NONE, SegmentResult.NO_COUNTS);
      case TEST, REST, DROP -> new Applied(test(copy), SegmentResult.NONE, SegmentResult.NO_COUNTS);
    };
  }

  private boolean[] remove(SegmentCopy copy) {
    var k = copy.numHashFunctions();
    var flags = new boolean[count];
    for (var i = 0; i < count; i++) {
      flags[i] = copy.content().remove(positions, i * k);
    }
    return flags;
  }

  /** For each element, whether a copy might contain it. */
  boolean[] test(SegmentCopy copy) {
    var k = copy.numHashFunctions();
    var flags = new boolean[count];
    for (var i = 0; i < count; i++) {
      flags[i] =
          words.isPresent()
              ? copy.content().contains(words.get().first(i), words.get().second(i))
              : copy.content().contains(positions, i * k);
    }
    return flags;
  }

  private Applied count(SegmentCopy copy) {
    var k = copy.numHashFunctions();
    var counts = new byte[count];
    var flags = new boolean[count];
    for (var i = 0; i < count; i++) {
      counts[i] = (byte) copy.content().count(positions, i * k);
      flags[i] = counts[i] > 0;
    }
    return new Applied(flags, SegmentResult.NONE, counts);
  }

  private Applied add(SegmentCopy copy, boolean grows) {
    var k = copy.numHashFunctions();
    var flags = new boolean[count];
    var refused = SegmentResult.NONE;
    for (var i = 0; i < count; i++) {
      var from = i * k;
      switch (copy.content().add(positions, from)) {
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
