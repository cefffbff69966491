package io.github.bloomgate.elements;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

/** Folds segments, some at once, beside the rounds. Used only on their thread. */
final class Folding {

  /**
   * Parallel folds. Each sends up to 2 MiB, and the journals of all segments of a filter become
   * long at about the same time.
   */
  private static final int MOST = 8;

  private final Snapshots snapshots;
  private final HeldSegments held;
  private final Executor thread;
  private final Queue<Waiting> waiting = new ArrayDeque<>();
  private int underWay;

  /** Callers that wait until nothing is being folded. */
  private final List<UniEmitter<? super Void>> resting = new ArrayList<>();

  private record Waiting(HeldSegment some, UniEmitter<? super Void> emitter) {}

  /**
   * @param thread of the rounds
   */
  Folding(Snapshots snapshots, HeldSegments held, Executor thread) {
    this.snapshots = snapshots;
    this.held = held;
    this.thread = thread;
  }

  /** The number of folds that would begin at once. */
  int room() {
    return Math.max(0, MOST - underWay);
  }

  /** The segments to fold, those first that have waited longest. */
  Stream<HeldSegment> due(Duration unchanged, Duration unfolded) {
    return held.all().stream()
        .filter(some -> some.isDue(unchanged, unfolded))
        .sorted(Comparator.comparingLong(some -> some.fold().sinceNanos()));
  }

  /** Folds a segment. Completes when that has ended, and does not fail. */
  Uni<Void> fold(HeldSegment some) {
    return Uni.createFrom()
        .emitter(
            emitter -> {
              some.beginFolding();
              waiting.add(new Waiting(some, emitter));
              foldNext();
            });
  }

  /** Completes when nothing is being folded, and does not fail. */
  Uni<Void> rest() {
    return Uni.createFrom()
        .emitter(
            emitter -> {
              resting.add(emitter);
              foldNext();
            });
  }

  private void foldNext() {
    while (underWay < MOST && !waiting.isEmpty()) {
      var next = waiting.poll();
      underWay++;
      Uni.createFrom()
          .deferred(() -> snapshots.fold(next.some))
          .emitOn(thread)
          .subscribe()
          .with(
              ignored -> folded(next),
              failure -> {
                next.some.failFolding(RoundFailures.known(failure));
                folded(next);
              });
    }
    if (underWay == 0) {
      resting.forEach(emitter -> emitter.complete(null));
      resting.clear();
    }
  }

  private void folded(Waiting done) {
    underWay--;
    done.some.endFolding();
    foldNext();
    done.emitter.complete(null);
  }
}
