package io.github.bloomgate.elements;

import io.github.bloomgate.elements.ElementCall.Kind;
import io.github.bloomgate.segment.BlockReader;
import io.github.bloomgate.segment.BlockWriter;
import io.github.bloomgate.segment.SegmentContent;
import io.github.bloomgate.segment.Verdict;
import io.github.bloomgate.store.SegmentGroup;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/**
 * The work of a round on one segment for all its requests: a block to append, and elements to
 * answer once the copy has everything before the block.
 */
final class Turn {

  private static final int MOST_BLOCK_BYTES = 1 << 19;

  /** Up to this many changes are all looked up before they are sent. */
  private static final int FEW = 64;

  /** Of more changes, one in this many is looked up. */
  private static final int SAMPLED = 8;

  private final RoundRoom room;
  private final HeldSegment held;
  private final int k;

  /** The bits to look up for an element. */
  private final int lookUpBits;

  /** The changes to send; null before {@link #decide}. */
  private BlockWriter block;

  /** The elements in order of arrival; element i has the positions from i * k. */
  private ElementPart[] parts;

  private int[] elements;
  private int[] positions;
  private boolean[] sent;
  private int asked;
  private int changes;

  /** Parts with elements that go to a later layer because this one is full. */
  private final Set<ElementPart> passing = new HashSet<>();

  /**
   * @param expected the number of elements that will probably be asked
   */
  Turn(RoundRoom room, HeldSegment held, int k, int expected) {
    this.room = room;
    this.held = held;
    this.k = k;
    this.lookUpBits = held.copy().content().lookUpBits();
    // Most segments get few more than their share.
    var places = expected + expected / 8 + 4;
    this.parts = new ElementPart[places];
    this.elements = new int[places];
    this.positions = new int[places * k];
    this.sent = new boolean[places];
  }

  HeldSegment held() {
    return held;
  }

  SegmentGroup.Question question() {
    return held.question(block.bytes());
  }

  /** Whether the segment is full and lacks the element, so that a later layer answers. */
  boolean isPassed(long[] words) {
    var content = held.copy().content();
    if (!content.isFull()) {
      return false;
    }
    reserve();
    put(words);
    room.countWork(lookUpBits);
    return !content.contains(positions, asked * k);
  }

  /** Records that the part has an element for which {@link #isPassed} is true. */
  void pass(ElementPart part) {
    passing.add(part);
  }

  /** Records that the reply does not confirm the copy. */
  void markUnconfirmed() {
    passing.forEach(ElementPart::markUnconfirmed);
  }

  void ask(ElementPart part, int element, long[] words) {
    reserve();
    put(words);
    parts[asked] = part;
    elements[asked] = element;
    asked++;
    room.countWork(lookUpBits);
    if (part.request().kind().changes()) {
      changes++;
    }
  }

  /** The most bytes of its block. */
  int mostBytes() {
    return Math.min(changes * BlockWriter.entryBytes(k), MOST_BLOCK_BYTES);
  }

  /**
   * Decides which elements are sent. Those for which the block or the call has no room wait for the
   * next round.
   */
  void decide() {
    block = new BlockWriter(k, Math.min(changes, MOST_BLOCK_BYTES / BlockWriter.entryBytes(k)));
    if (changes == 0) {
      return;
    }
    var content = held.copy().content();
    var leavesOutKnown = changes <= FEW || hasManyKnown(content);
    var kept = 0;
    for (var i = 0; i < asked; i++) {
      if (leavesOutKnown) {
        fetch(content, i);
      }
      var kind = parts[i].request().kind();
      var isSent = isToBeSent(content, kind, i, leavesOutKnown);
      if (isSent && !append(kind, i)) {
        continue;
      }
      sent[kept] = isSent;
      if (kept < i) {
        parts[kept] = parts[i];
        elements[kept] = elements[i];
        System.arraycopy(positions, i * k, positions, kept * k, k);
      }
      kept++;
    }
    asked = kept;
  }

  /**
   * Fetches the bits of the elements from an index into the processor's cache if those before it
   * were fetched together.
   */
  private void fetch(SegmentContent content, int i) {
    if (i % SegmentContent.FETCHED == 0) {
      content.fetch(positions, i * k, Math.min(asked, i + SegmentContent.FETCHED) * k);
    }
  }

  /**
   * Whether more than a quarter of the elements to add are known, according to a sample. Otherwise
   * all are sent, because looking up each one here, and again for its answer, takes longer.
   */
  private boolean hasManyKnown(SegmentContent content) {
    var looked = 0;
    var known = 0;
    for (var i = 0; i < asked; i += SAMPLED) {
      if (parts[i].request().kind() == Kind.ADD) {
        looked++;
        known += content.addIsNoOp(positions, i * k) ? 1 : 0;
      }
    }
    return 4 * known > looked;
  }

  private boolean isToBeSent(SegmentContent content, Kind kind, int i, boolean leavesOutKnown) {
    return kind == Kind.REMOVE
        || (kind == Kind.ADD
            && !content.isFull()
            && !(leavesOutKnown && content.addIsNoOp(positions, i * k)));
  }

  private boolean append(Kind kind, int i) {
    return block.append(kind == Kind.REMOVE, positions, i * k);
  }

  private void reserve() {
    if (asked == parts.length) {
      parts = Arrays.copyOf(parts, 2 * asked);
      elements = Arrays.copyOf(elements, 2 * asked);
      sent = Arrays.copyOf(sent, 2 * asked);
      positions = Arrays.copyOf(positions, 2 * asked * k);
    }
  }

  private void put(long[] words) {
    for (var i = 0; i < k; i++) {
      positions[asked * k + i] = (int) words[i];
    }
  }

  /** Applies the blocks of other instances, then the turn's own block, which was appended. */
  void follow(byte[] blocks, long millis) {
    apply(blocks);
    if (block.isEmpty()) {
      answer(false, millis);
    } else {
      answer(true, millis);
      held.copy().reach(block.appendedBytes(), block.mark(), millis);
      held.noteChange();
    }
  }

  /** Applies blocks that already include the turn's own: the call was repeated. */
  void followRepeated(byte[] blocks, long millis) {
    var reader = new BlockReader(blocks, k);
    while (reader.next()) {
      if (Arrays.equals(reader.mark(), block.mark())) {
        answer(true, reader.stamp());
        held.copy().reach(block.appendedBytes(), block.mark(), reader.stamp());
      } else {
        held.copy().apply(reader);
      }
    }
    held.copy().content().advanceTo(millis);
    held.noteChange();
  }

  /**
   * Applies blocks without the turn's own, which was not appended: its elements wait for the next
   * round.
   */
  void followUnsent(byte[] blocks, long millis) {
    apply(blocks);
    answer(false, millis);
  }

  private void apply(byte[] blocks) {
    if (blocks.length > 0) {
      held.copy().apply(blocks);
      held.noteChange();
    }
  }

  void fail(RuntimeException failure) {
    fail(failure, failure);
  }

  /**
   * Fails requests with elements to append and read-only requests differently. Includes those that
   * go to a later layer, whose answers depend on the copy of this one; they may append there.
   */
  void fail(RuntimeException ofChanges, RuntimeException ofReads) {
    for (var part : passing) {
      var request = part.request();
      request.fail(request.kind().changes() ? ofChanges : ofReads);
    }
    for (var i = 0; i < asked; i++) {
      parts[i].request().fail(sent[i] ? ofChanges : ofReads);
    }
  }

  void failChanges(RuntimeException failure) {
    for (var i = 0; i < asked; i++) {
      if (sent[i]) {
        parts[i].request().fail(failure);
      }
    }
  }

  /** Makes all requests for this segment leave the rounds. */
  void interrupt() {
    passing.forEach(part -> part.request().interrupt());
    for (var i = 0; i < asked; i++) {
      parts[i].request().interrupt();
    }
  }

  private void answer(boolean isAppended, long millis) {
    var content = held.copy().content();
    content.advanceTo(millis);
    for (var i = 0; i < asked; i++) {
      fetch(content, i);
      parts[i].restOn(held);
      if (!sent[i]) {
        answer(content, i);
      } else if (isAppended) {
        change(content, i, millis);
      }
    }
  }

  private void change(SegmentContent content, int i, long millis) {
    if (parts[i].request().kind() == Kind.REMOVE) {
      var isRemoved = content.remove(positions, i * k);
      parts[i].setAnswer(elements[i], isRemoved ? Verdict.CHANGED : Verdict.ABSENT);
    } else {
      parts[i].apply(elements[i], content.add(positions, i * k, millis));
    }
  }

  private void answer(SegmentContent content, int i) {
    switch (parts[i].request().kind()) {
      case COUNT -> parts[i].setCount(elements[i], content.count(positions, i * k));
      case TEST -> {
        if (content.contains(positions, i * k)) {
          parts[i].setAnswer(elements[i], Verdict.KNOWN);
        } else if (content.isFull()) {
          parts[i].apply(elements[i], Verdict.ABSENT);
        } else {
          parts[i].setAnswer(elements[i], Verdict.ABSENT);
        }
      }
      default -> {
        if (content.addIsNoOp(positions, i * k)) {
          parts[i].setAnswer(elements[i], Verdict.KNOWN);
        } else if (content.isFull()) {
          parts[i].refuse(elements[i]);
        }
        // Otherwise it was just removed from the copy, and is sent with the next round.
      }
    }
  }
}
