package io.github.bloomgate.elements;

import io.github.bloomgate.model.error.StoreErrors;
import io.github.bloomgate.store.SegmentGroup;
import io.github.bloomgate.store.SegmentReply;
import io.github.bloomgate.store.SegmentStore;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** One call of a round to Redis, and its reply. */
final class RoundCall {

  private final List<LayerTurns> groups;
  private final Set<HeldSegment> toFold = new LinkedHashSet<>();

  RoundCall(List<LayerTurns> groups) {
    this.groups = groups;
  }

  /** The segments with long journals; known after the reply. */
  Set<HeldSegment> toFold() {
    return toFold;
  }

  List<SegmentGroup> questions() {
    return groups.stream()
        .map(
            group ->
                new SegmentGroup(
                    group.generation().stored(),
                    group.layer().layout(),
                    group.turns().stream().map(Turn::question).toList()))
        .toList();
  }

  /**
   * Applies the reply to the copies, and answers the elements that these decide.
   *
   * @param isRepeated whether the reply to the same call was lost before
   */
  void answer(SegmentStore.Advance answer, boolean isRepeated) {
    for (var i = 0; i < groups.size(); i++) {
      var group = groups.get(i);
      answer.groups().get(i).ifPresent(replies -> doubt(group, replies));
    }
    for (var i = 0; i < groups.size(); i++) {
      var group = groups.get(i);
      answer
          .groups()
          .get(i)
          .ifPresentOrElse(
              replies -> answer(group, replies, answer.millis(), isRepeated),
              () -> interrupt(group, isRepeated));
    }
  }

  private static void doubt(LayerTurns group, List<SegmentReply> replies) {
    for (var i = 0; i < replies.size(); i++) {
      if (!(replies.get(i) instanceof SegmentReply.Followed)) {
        group.turns().get(i).markUnconfirmed();
      }
    }
  }

  private static void interrupt(LayerTurns group, boolean isRepeated) {
    for (var turn : group.turns()) {
      if (isRepeated) {
        turn.failChanges(RoundFailures.unknown());
      }
      turn.interrupt();
    }
  }

  private void answer(
      LayerTurns group, List<SegmentReply> replies, long millis, boolean isRepeated) {
    var reply = replies.iterator();
    for (var turn : group.turns()) {
      try {
        answer(turn, reply.next(), millis, isRepeated);
      } catch (IllegalArgumentException damage) {
        turn.held().requireRead();
        turn.fail(turn.held().damaged());
      }
    }
  }

  private void answer(Turn turn, SegmentReply reply, long millis, boolean isRepeated) {
    if (reply instanceof SegmentReply.Followed followed) {
      turn.follow(followed.blocks(), millis);
    } else if (reply instanceof SegmentReply.Repeated repeated) {
      turn.followRepeated(repeated.blocks(), millis);
    } else if (reply instanceof SegmentReply.TooLong tooLong) {
      turn.followUnsent(tooLong.blocks(), millis);
      foldOrFail(turn);
    } else if (reply instanceof SegmentReply.Full) {
      turn.failChanges(StoreErrors.full());
    } else if (reply instanceof SegmentReply.Damaged) {
      turn.fail(turn.held().damaged());
    } else {
      if (reply instanceof SegmentReply.Reread) {
        turn.held().requireRead();
      }
      if (isRepeated) {
        // Redis may no longer keep the block of the call whose reply was lost.
        turn.failChanges(RoundFailures.unknown());
      }
    }
    if (turn.held().copy().isLong()) {
      toFold.add(turn.held());
    }
  }

  private void foldOrFail(Turn turn) {
    var failure = turn.held().takeFoldFailure();
    if (failure == null) {
      turn.held().requireFold();
      toFold.add(turn.held());
    } else {
      turn.failChanges(failure);
    }
  }

  /**
   * Fails all requests.
   *
   * @param ofChanges the failure for requests with elements to append
   */
  void fail(RuntimeException ofChanges, RuntimeException ofReads) {
    groups.forEach(group -> group.turns().forEach(turn -> turn.fail(ofChanges, ofReads)));
  }
}
