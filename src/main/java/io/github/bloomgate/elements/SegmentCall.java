package io.github.bloomgate.elements;

import io.github.bloomgate.model.error.StoreErrors;
import io.github.bloomgate.store.SegmentGroup;
import io.github.bloomgate.store.SegmentReply;
import io.github.bloomgate.store.SegmentStore;
import java.util.ArrayList;
import java.util.List;

/**
 * A call of a round about segments with copies. While Redis performs it, the next one is made, and
 * the reply to the previous one applied.
 */
final class SegmentCall {

  /** The bytes of blocks beyond which segments go into another call. */
  static final int MOST_BYTES = 1 << 16;

  private final RoundFindings findings;

  /** The groups in the order of the call. */
  private final List<LayerTurns> groups = new ArrayList<>();

  private int bytes;
  private List<SegmentGroup> questions;

  SegmentCall(RoundFindings findings) {
    this.findings = findings;
  }

  /** Whether the segments fit, or are the first. */
  boolean hasRoom(LayerTurns some) {
    return isEmpty() || bytes + some.mostBytes() <= MOST_BYTES;
  }

  void add(LayerTurns some) {
    if (!some.turns().isEmpty()) {
      groups.add(some);
      bytes += some.mostBytes();
    }
  }

  boolean isEmpty() {
    return groups.isEmpty();
  }

  /** Decides which elements are sent. Called once. */
  void decide() {
    groups.forEach(group -> group.turns().forEach(Turn::decide));
    questions =
        groups.stream()
            .map(
                group ->
                    new SegmentGroup(
                        group.generation().stored(),
                        group.layer().format(),
                        group.turns().stream().map(Turn::question).toList()))
            .toList();
  }

  /** What is asked; known after {@link #decide}. */
  List<SegmentGroup> questions() {
    return questions;
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
              () -> {
                findings.noteChanged(group.generation().stored());
                interrupt(group, isRepeated);
              });
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
        var its = reply.next();
        answer(turn, its, millis, isRepeated);
        note(turn.held(), its, millis);
      } catch (IllegalArgumentException damage) {
        turn.held().requireRead();
        turn.fail(turn.held().damaged());
        findings.noteFailure(group.generation().stored(), turn.held().damaged());
      }
    }
  }

  private void note(HeldSegment some, SegmentReply reply, long millis) {
    if (reply instanceof SegmentReply.Followed
        || reply instanceof SegmentReply.Repeated
        || reply instanceof SegmentReply.TooLong
        || reply instanceof SegmentReply.Postponed) {
      some.setAsOf(new AsOf(findings.begun(), millis));
    } else if (reply instanceof SegmentReply.Damaged) {
      some.freshness().doubt();
      findings.noteFailure(some.generation().stored(), some.damaged());
    } else if (reply instanceof SegmentReply.WrongType) {
      some.freshness().doubt();
      findings.noteFailure(
          some.generation().stored(), some.generation().stored().wrongType(some.index()));
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
    } else if (reply instanceof SegmentReply.Postponed postponed) {
      turn.followUnsent(postponed.blocks(), millis);
      if (isRepeated) {
        // The call whose reply was lost may still arrive.
        turn.failChanges(RoundFailures.unknown());
      }
    } else if (reply instanceof SegmentReply.Full) {
      turn.failChanges(StoreErrors.full());
    } else if (reply instanceof SegmentReply.Damaged) {
      turn.fail(turn.held().damaged());
    } else if (reply instanceof SegmentReply.WrongType) {
      turn.fail(turn.held().generation().stored().wrongType(turn.held().index()));
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
      findings.noteLong(turn.held());
    }
  }

  private void foldOrFail(Turn turn) {
    var failure = turn.held().fold().takeFailure();
    if (failure == null) {
      turn.held().fold().require();
      findings.noteLong(turn.held());
    } else {
      turn.failChanges(failure);
    }
  }

  /**
   * Fails the requests for its segments.
   *
   * @param ofChanges the failure for requests with elements to append
   */
  void fail(RuntimeException ofChanges, RuntimeException ofReads) {
    for (var group : groups) {
      findings.noteFailure(group.generation().stored(), ofReads);
      group.turns().forEach(turn -> turn.fail(ofChanges, ofReads));
    }
  }

  /** Makes all copies be read again, because one may have applied a part of a block. */
  void distrust() {
    groups.forEach(group -> group.turns().forEach(turn -> turn.held().requireRead()));
  }
}
