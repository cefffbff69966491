package io.github.bloomgate.elements;

import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.segment.SegmentField;
import io.github.bloomgate.store.FoldReply;
import io.github.bloomgate.store.KnownSegment;
import io.github.bloomgate.store.SegmentStore;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * Reads segments into copies, and folds their journals in Redis. Until the returned {@link Uni}
 * completes, on the thread of the rounds, a copy may change but must not be read or folded again.
 */
final class Snapshots {

  private final SegmentStore store;
  private final RoundMeters meters;
  private final Executor thread;

  Snapshots(SegmentStore store, RoundMeters meters, Executor thread) {
    this.store = store;
    this.meters = meters;
    this.thread = thread;
  }

  /** Reads a whole segment; fails with FILTER_DAMAGED if it is malformed. */
  Uni<Void> read(HeldSegment some) {
    var format = some.layer().format();
    meters.countRead(some.copy().position() == 0);
    return store
        .read(some.generation().stored().content(), some.index())
        .emitOn(thread)
        .map(
            bytes ->
                bytes
                    .map(string -> SegmentCopy.read(format, string))
                    .orElseGet(() -> SegmentCopy.empty(format)))
        .invoke(some::read)
        .onFailure(IllegalArgumentException.class)
        .transform(ignored -> some.damaged())
        .replaceWithVoid();
  }

  /** Writes the changed bytes, or the whole segment if there are many or the journal is long. */
  Uni<Void> fold(HeldSegment some) {
    var copy = some.copy();
    if (some.fold().isUrgent() || copy.isTrailing()) {
      return replace(some);
    }
    return copy.patch().map(fields -> patch(some, fields)).orElseGet(() -> replace(some));
  }

  private Uni<Void> patch(HeldSegment some, List<SegmentField> fields) {
    some.copy().sendPatch();
    return applyReply(some, store.patch(known(some), fields));
  }

  /**
   * Replaces the segment by bitmap and header, and drops its journal. Because the new string is
   * long, checks first whether another instance has folded the segment.
   */
  private Uni<Void> replace(HeldSegment some) {
    return header(some)
        .chain(
            header ->
                some.copy().confirm(header) && some.copy().unfolded() >= 0
                    ? write(some)
                    : Uni.createFrom().voidItem().invoke(some.fold()::done))
        .onFailure(IllegalArgumentException.class)
        .recoverWithUni(() -> Uni.createFrom().voidItem().invoke(some::requireRead));
  }

  private Uni<byte[]> header(HeldSegment some) {
    return store
        .header(some.generation().stored().content(), some.index(), some.layer().format())
        .emitOn(thread);
  }

  private Uni<Void> write(HeldSegment some) {
    var copy = some.copy();
    var bytes = copy.fold();
    copy.sendFold();
    return applyReply(some, store.fold(known(some), bytes, Optional.empty()));
  }

  private static KnownSegment known(HeldSegment some) {
    return KnownSegment.of(some.generation().stored(), some.index(), some.copy());
  }

  private Uni<Void> applyReply(HeldSegment some, Uni<FoldReply> sent) {
    return sent.emitOn(thread).chain(reply -> applyReply(some, reply));
  }

  /** Handles the reply. A refused fold changed nothing, but the copy may have to be updated. */
  private Uni<Void> applyReply(HeldSegment some, FoldReply reply) {
    meters.countFold(reply);
    if (reply == FoldReply.DONE) {
      some.copy().written();
    } else {
      some.copy().notWritten();
    }
    switch (reply) {
      case DONE -> some.fold().done();
      case FOLDED -> {
        return header(some)
            .invoke(some.copy()::confirm)
            .invoke(some.fold()::done)
            .replaceWithVoid();
      }
      case CHANGED -> {
        if (some.generation().isNext()) {
          // The next fold asks under the key of the filter. It is refused if the rebuild was
          // aborted.
          some.noteCommitted();
        } else {
          // Renamed or dropped. The instance that renames a filter notes its unfolded segments.
          some.requireRead();
        }
      }
      case REREAD, DAMAGED -> some.requireRead();
    }
    return Uni.createFrom().voidItem();
  }
}
