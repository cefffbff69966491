package io.github.bloomgate.elements;

import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.SeveralSlotsException;
import io.github.bloomgate.store.BitsReply;
import io.github.bloomgate.store.SegmentStore;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.concurrent.Executor;

/** Tests and adds elements bit by bit. Calls complete on the thread of the rounds. */
final class BitsCalls {

  private final SegmentStore store;
  private final RareSegments rare;
  private final Executor thread;

  BitsCalls(SegmentStore store, RareSegments rare, Executor thread) {
    this.store = store;
    this.rare = rare;
    this.thread = thread;
  }

  /** Asks about several segments in one call and answers their elements. Does not fail. */
  Uni<Void> ask(List<BitsCall> calls) {
    return ask(calls, false);
  }

  private Uni<Void> ask(List<BitsCall> calls, boolean isRepeated) {
    return Uni.createFrom()
        .deferred(() -> store.bits(calls.stream().map(call -> call.bits(isRepeated)).toList()))
        .emitOn(thread)
        .invoke(replies -> answered(calls, replies, isRepeated))
        .replaceWithVoid()
        .onFailure()
        .recoverWithUni(failure -> failed(calls, RoundFailures.known(failure), isRepeated));
  }

  private void answered(List<BitsCall> calls, List<BitsReply> replies, boolean isRepeated) {
    var reply = replies.iterator();
    for (var call : calls) {
      if (call.answer(reply.next(), isRepeated)) {
        rare.requireCopy(call.generation(), call.segment());
      }
    }
  }

  /** Repeats the call: the marks of the blocks show whether the elements were added. */
  private Uni<Void> failed(List<BitsCall> calls, RuntimeException failure, boolean isRepeated) {
    var isUnknown = ErrorCode.STORE_OUTCOME_UNKNOWN.isOf(failure);
    if (isUnknown && !isRepeated) {
      // The journals are read to find the marks, which takes too long for many in one call.
      return askAlone(calls, true);
    } else if (failure instanceof SeveralSlotsException && calls.size() > 1) {
      return askAlone(calls, isRepeated);
    }
    var ofAll = isRepeated && !isUnknown ? RoundFailures.unanswered(failure) : failure;
    calls.forEach(call -> call.fail(ofAll));
    return Uni.createFrom().voidItem();
  }

  private Uni<Void> askAlone(List<BitsCall> calls, boolean isRepeated) {
    var alone = calls.stream().map(call -> ask(List.of(call), isRepeated)).toList();
    return Uni.join().all(alone).andFailFast().replaceWithVoid();
  }
}
