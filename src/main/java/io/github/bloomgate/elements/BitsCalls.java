package io.github.bloomgate.elements;

import io.github.bloomgate.store.BitsReply;
import io.github.bloomgate.store.SegmentStore;
import io.smallrye.mutiny.Uni;
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

  /** Makes a call and answers its elements. Does not fail. */
  Uni<Void> ask(BitsCall call) {
    return ask(call, false);
  }

  private Uni<Void> ask(BitsCall call, boolean isRepeated) {
    return Uni.createFrom()
        .deferred(() -> call.send(store, isRepeated))
        .emitOn(thread)
        .invoke(reply -> answered(call, reply, isRepeated))
        .replaceWithVoid()
        .onFailure()
        .recoverWithUni(failure -> failed(call, RoundFailures.known(failure), isRepeated));
  }

  private void answered(BitsCall call, BitsReply reply, boolean isRepeated) {
    if (call.answer(reply, isRepeated)) {
      rare.requireCopy(call.generation(), call.segment());
    }
  }

  /** Repeats the call: the mark of the block shows whether the elements were added. */
  private Uni<Void> failed(BitsCall call, RuntimeException failure, boolean isRepeated) {
    var isUnknown = RoundFailures.isUnknown(failure);
    if (isUnknown && !isRepeated) {
      return ask(call, true);
    }
    call.end();
    call.fail(isRepeated && !isUnknown ? RoundFailures.unanswered(failure) : failure);
    return Uni.createFrom().voidItem();
  }
}
