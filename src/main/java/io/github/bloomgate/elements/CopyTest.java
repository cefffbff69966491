package io.github.bloomgate.elements;

import io.github.bloomgate.model.Layer;
import io.github.bloomgate.segment.Verdict;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tests elements in copies, without a call, if these are young enough. Used only on the thread of
 * the rounds.
 */
final class CopyTest {

  private final HeldSegments held;
  private final List<ElementRequest> requests;
  private final Duration maxAge;

  /** Where the next step begins. */
  private int request;

  private int element;

  /** As of when the oldest copy is. */
  private Moment asOf = Moment.now();

  private boolean isTooOld;

  CopyTest(HeldSegments held, List<ElementRequest> requests, Duration maxAge) {
    this.held = held;
    this.requests = requests;
    this.maxAge = maxAge;
  }

  /** As of when the oldest copy is; empty if one was missing or is too old. */
  Optional<Moment> asOf() {
    return isTooOld ? Optional.empty() : Optional.of(asOf);
  }

  /** Tests as many elements as one round would; returns whether some are left. */
  boolean step() {
    var room = new RoundRoom();
    while (request < requests.size() && !isTooOld && room.isLeft()) {
      var part = requests.get(request).live();
      test(part, room);
      if (element == part.count()) {
        request++;
        element = 0;
      }
    }
    isTooOld |= asOf.isOlderThan(maxAge);
    return request < requests.size() && !isTooOld;
  }

  private void test(ElementPart part, RoundRoom room) {
    var generation = part.generation();
    var layers = generation.layers();
    var k = requests.get(request).mostHashFunctions();
    var words = new long[Math.max(2, k)];
    var positions = new int[k];
    // Between two steps, a copy may be replaced.
    var copies = new HashMap<Integer, HeldSegment>();
    for (; element < part.count() && room.isLeft(); element++) {
      room.countWork(RoundRoom.WORK_OF_ELEMENT);
      var answer = Verdict.ABSENT;
      for (var layer : layers) {
        var some = locate(part, layer, words, positions, copies);
        if (some == null) {
          isTooOld = true;
          return;
        }
        var content = some.copy().content();
        room.countWork(layer.places().numHashFunctions() + content.lookUpBits());
        if (content.contains(positions, 0)) {
          answer = Verdict.KNOWN;
          break;
        } else if (!content.isFull()) {
          // Later layers have only elements that this segment refused.
          break;
        }
      }
      part.setAnswer(element, answer);
    }
  }

  /** Returns the segment of the current element in a layer, or null without a current copy. */
  private HeldSegment locate(
      ElementPart part,
      Layer layer,
      long[] words,
      int[] positions,
      Map<Integer, HeldSegment> copies) {
    var index = layer.firstSegment() + part.locate(element, layer.places(), words);
    for (var i = 0; i < layer.places().numHashFunctions(); i++) {
      positions[i] = (int) words[i];
    }
    return copies.computeIfAbsent(index, ignored -> current(part, index));
  }

  private HeldSegment current(ElementPart part, int index) {
    var generation = part.generation();
    var found = held.find(generation, index);
    var itsAsOf = found.flatMap(some -> some.asOf(generation.stored()));
    if (itsAsOf.isEmpty()) {
      return null;
    }
    asOf = asOf.orEarlier(itsAsOf.get().sent());
    return found.get();
  }
}
