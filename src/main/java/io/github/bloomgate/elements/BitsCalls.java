package io.github.bloomgate.elements;

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

  /**
   * Asks about several segments in one call and answers their elements. An add whose reply is lost
   * fails with STORE_OUTCOME_UNKNOWN. Does not fail.
   */
  Uni<Void> ask(List<BitsCall> calls) {
    return Uni.createFrom()
        .deferred(() -> store.bits(calls.stream().map(BitsCall::bits).toList()))
        .emitOn(thread)
        .invoke(replies -> answered(calls, replies))
        .replaceWithVoid()
        .onFailure()
        .invoke(failure -> calls.forEach(call -> call.fail(RoundFailures.known(failure))))
        .onFailure()
        .recoverWithNull();
  }

  private void answered(List<BitsCall> calls, List<BitsReply> replies) {
    var reply = replies.iterator();
    for (var call : calls) {
      if (call.answer(reply.next())) {
        rare.requireCopy(call.generation(), call.segment());
      }
    }
  }
}
