package io.github.bloomgate.elements;

import io.github.bloomgate.filters.Generation;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Brings the copies of all segments of a filter up to date, without elements: asks whether the
 * filter has the same version, and for the blocks that the copies lack. Missing copies are read,
 * and asked about by a later refresh. Used only on the thread of the rounds.
 */
final class Refresh {

  /** The outcome of a refresh. */
  enum Outcome {
    /** Nothing is known against the version of the filter. */
    DONE,
    /** The filter has another version or no longer exists. */
    OUTDATED
  }

  private final Generation generation;
  private final Duration young;
  private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();
  private int next;
  private boolean isChanged;
  private AsOf asOf;
  private Optional<RuntimeException> failure = Optional.empty();

  /**
   * @param young leaves out segments whose copies are younger
   */
  Refresh(Generation generation, Duration young) {
    this.generation = generation;
    this.young = young;
  }

  Generation generation() {
    return generation;
  }

  /** Completes on the thread of the rounds. */
  Uni<Outcome> outcome() {
    return Uni.createFrom().completionStage(outcome);
  }

  /** As of when the oldest copy is; empty if one is missing. Known with the outcome. */
  Optional<AsOf> asOf() {
    return Optional.ofNullable(asOf);
  }

  /** Why a segment may have no current copy, if something failed. Known with the outcome. */
  Optional<RuntimeException> failure() {
    return failure;
  }

  /** Asks as many segments as there is room for. */
  void join(Round round) {
    for (; next < generation.segments() && round.room().isLeftToRefresh(); next++) {
      round.refresh(generation, next, young);
    }
  }

  /** Records what a round found out, or that it failed. */
  void end(RoundFindings findings) {
    isChanged = findings.isChanged(generation.stored());
    findings.failure(generation.stored()).ifPresent(this::giveUp);
    if (isChanged) {
      next = generation.segments();
    }
  }

  /** Asks no more segments. */
  void giveUp(RuntimeException reason) {
    failure = Optional.of(reason);
    next = generation.segments();
  }

  boolean isToLeave() {
    return next == generation.segments();
  }

  /** Completes the outcome. */
  void leave(HeldSegments held) {
    asOf = oldest(held);
    outcome.complete(isChanged ? Outcome.OUTDATED : Outcome.DONE);
  }

  private AsOf oldest(HeldSegments held) {
    AsOf oldest = null;
    for (var segment = 0; segment < generation.segments(); segment++) {
      var confirmed = held.asOf(generation, segment);
      if (confirmed.isEmpty()) {
        return null;
      }
      oldest = oldest == null ? confirmed.get() : oldest.orEarlier(confirmed.get());
    }
    return oldest;
  }
}
