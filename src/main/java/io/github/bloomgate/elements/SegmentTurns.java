package io.github.bloomgate.elements;

import io.github.bloomgate.elements.SegmentWork.Applied;
import io.github.bloomgate.elements.SegmentWork.Kind;
import io.github.bloomgate.journal.Blocks;
import io.github.bloomgate.journal.Marks;
import io.github.bloomgate.journal.SegmentCopies;
import io.github.bloomgate.journal.SegmentCopy;
import io.github.bloomgate.journal.SegmentKey;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.Generation;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.store.AdvanceReply;
import io.github.bloomgate.store.Advances;
import io.github.bloomgate.store.FoldReply;
import io.github.bloomgate.store.SegmentResult;
import io.github.bloomgate.store.SegmentStore;
import io.github.bloomgate.threads.OwnContext;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * Does what several requests want of a segment, with a copy that is brought to what Redis holds.
 * For whoever sees to it that a segment has one turn at a time, see {@link SegmentJournals}.
 */
@ApplicationScoped
public class SegmentTurns {

  /** Each attempt but the first means that others have changed the segment in between. */
  static final int MAX_ATTEMPTS = 8;

  /** How often a snapshot with many elements is tried before it gives way to others. */
  private static final int MAX_WRITES = 3;

  private final Advances advances;
  private final SegmentCopies copies;
  private final SegmentSnapshots snapshots;
  private final Executor workers;
  private final Marks marks = new Marks();

  @Inject
  public SegmentTurns(Advances advances, SegmentCopies copies, SegmentSnapshots snapshots) {
    this(advances, copies, snapshots, OwnContext.workers());
  }

  public SegmentTurns(
      Advances advances, SegmentCopies copies, SegmentSnapshots snapshots, Executor workers) {
    this.advances = advances;
    this.copies = copies;
    this.snapshots = snapshots;
    this.workers = workers;
  }

  /**
   * Takes a turn.
   *
   * @param works what is to be done, in order, all of one durability
   * @return what became of each, in order
   */
  Uni<List<Outcome>> take(SegmentKey key, List<SegmentWork> works, Durability durability) {
    var elements = works.stream().mapToInt(SegmentWork::count).sum();
    var isLarge = elements > ElementService.MAX_ELEMENTS;
    var turn = new Turn(key, works, durability, isLarge);
    return isLarge ? Uni.createFrom().deferred(turn::take).runSubscriptionOn(workers) : turn.take();
  }

  /** Some work on a segment, while nobody else of this instance does any on it. */
  private final class Turn {

    private final SegmentKey key;
    private final Filter filter;
    private final List<SegmentWork> works;
    private final Durability durability;

    /** Whether it is no work for an event loop. */
    private final boolean isLarge;

    private Turn(SegmentKey key, List<SegmentWork> works, Durability durability, boolean isLarge) {
      this.key = key;
      this.filter = key.filter();
      this.works = works;
      this.durability = durability;
      this.isLarge = isLarge;
    }

    private Uni<List<Outcome>> take() {
      return take(1)
          .onFailure(failure -> isOfChanges(failure) && hasChanges() && hasOthers())
          .recoverWithUni(this::withoutChanges);
    }

    private <T> Uni<T> here(Uni<T> reply) {
      return isLarge ? reply.emitOn(workers) : reply;
    }

    private Uni<List<Outcome>> take(int attempt) {
      var held = copies.find(key);
      return held.isPresent()
          ? with(held.get(), attempt)
          : here(snapshots.read(key, attempt > 1))
              .chain(read -> read.isPresent() ? with(read.get(), attempt) : nothingDone());
    }

    private Uni<List<Outcome>> nothingDone() {
      return Uni.createFrom().item(works.stream().map(work -> Outcome.UNDONE).toList());
    }

    private Uni<List<Outcome>> with(SegmentCopy copy, int attempt) {
      if (attempt > MAX_ATTEMPTS) {
        // Others, who do not journal, are faster: then bit by bit is as fast as they are.
        return nothingDone();
      }
      var blocks = blocks(copy);
      var isWhole = !SegmentJournals.isJournaled(filter) && !blocks.isEmpty();
      if ((isWhole || blocks.length() > copy.longBytes()) && attempt <= MAX_WRITES) {
        return write(copy, attempt);
      }
      if (isWhole || blocks.length() > copy.mostBytes()) {
        // Others are in the way each time: a few elements at a time come through.
        return nothingDone();
      }
      return attempt == 1 && copy.isLong() && !blocks.isEmpty()
          ? snapshots
              .fold(key, copy)
              .onFailure()
              .recoverWithNull()
              .chain(() -> advance(copy, blocks, attempt))
          : advance(copy, blocks, attempt);
    }

    /** What is not known for good, and would be refused for good. */
    private Blocks blocks(SegmentCopy copy) {
      var blocks = Blocks.of(copy, marks);
      if (!copy.content().isFull()) {
        works.forEach(work -> work.journal(copy, blocks));
      }
      return blocks;
    }

    private Uni<List<Outcome>> advance(SegmentCopy copy, Blocks blocks, int attempt) {
      var bytes = blocks.bytes();
      return here(advances.advance(filter, key.segment(), copy, bytes, hasChanges(), durability))
          .onFailure(SegmentTurns::isOfFilter)
          .invoke(() -> copies.drop(key))
          .chain(reply -> replay(copy, reply, bytes.length, blocks.mark(), attempt));
    }

    private Uni<List<Outcome>> replay(
        SegmentCopy copy, AdvanceReply reply, int journaled, String mark, int attempt) {
      if (reply.outcome() == AdvanceReply.Outcome.REREAD) {
        copies.drop(key);
        return take(attempt + 1);
      }
      replay(copy, reply.blocks());
      reply.slice().ifPresent(copy.content()::setNow);
      if (reply.outcome() != AdvanceReply.Outcome.SAME) {
        copy.note(reply.base(), reply.folded());
      }
      if (reply.outcome() == AdvanceReply.Outcome.TURNED) {
        return with(copy, attempt + 1);
      }
      if (reply.outcome() == AdvanceReply.Outcome.LONG) {
        return snapshots.fold(key, copy).chain(() -> with(copy, attempt + 1));
      }
      var applied = apply(copy, journaled > 0);
      if (journaled > 0) {
        copy.journaled(journaled, mark);
      }
      if (copy.isDropped()) {
        snapshots.bringHome(key, copy);
      }
      var done = outcomes(applied, copy, reply.next(), reply.isConfirmed(), reply.replicas());
      var drop = has(Kind.DROP);
      return drop || has(Kind.REST)
          ? snapshots.rest(key, copy, drop).onFailure().recoverWithNull().replaceWith(done)
          : Uni.createFrom().item(done);
    }

    private void replay(SegmentCopy copy, byte[] blocks) {
      try {
        copy.replay(blocks);
      } catch (IllegalArgumentException damage) {
        copies.drop(key);
        throw FilterErrors.damaged(filter.name(), SegmentStore.bitsKey(filter, key.segment()));
      }
    }

    private boolean has(Kind kind) {
      return works.stream().anyMatch(work -> work.kind() == kind);
    }

    private boolean hasChanges() {
      return works.stream().anyMatch(SegmentWork::changes);
    }

    private boolean hasOthers() {
      return works.stream().anyMatch(work -> !work.changes());
    }

    /** What is refused or lost are the changes; the others are told what there is. */
    private Uni<List<Outcome>> withoutChanges(Throwable failure) {
      var others = works.stream().filter(work -> !work.changes()).toList();
      return new Turn(key, others, durability, isLarge)
          .take(1)
          .map(
              answers -> {
                var left = answers.iterator();
                return works.stream()
                    .map(work -> work.changes() ? Outcome.failed(failure) : left.next())
                    .toList();
              });
    }

    private List<Applied> apply(SegmentCopy copy, boolean isWritten) {
      if (isWritten) {
        copy.content().turn();
      }
      var applied = new ArrayList<Applied>(works.size());
      for (var work : works) {
        applied.add(work.apply(copy, filter.grows()));
      }
      return applied;
    }

    private List<Outcome> outcomes(
        List<Applied> applied,
        SegmentCopy copy,
        Optional<Generation> next,
        boolean isConfirmed,
        int replicas) {
      var isFull = copy.content().isFull();
      return applied.stream()
          .map(
              some ->
                  Outcome.done(
                      new SegmentResult(
                          some.flags(),
                          some.refused(),
                          some.counts(),
                          isFull,
                          next,
                          isConfirmed,
                          replicas)))
          .toList();
    }

    /** Adds or removes as many elements as would fill the journal, as a new snapshot. */
    private Uni<List<Outcome>> write(SegmentCopy copy, int attempt) {
      var mark = marks.next();
      var applied = new ArrayList<Applied>(works.size());
      return snapshots
          .write(key, copy, () -> applied.addAll(apply(copy, true)), mark, durability)
          .onFailure()
          .invoke(() -> copies.drop(key))
          .chain(
              reply ->
                  reply.isPresent()
                      ? written(copy, reply.get(), applied, mark, attempt)
                      : nothingDone());
    }

    private Uni<List<Outcome>> written(
        SegmentCopy copy, FoldReply reply, List<Applied> applied, String mark, int attempt) {
      if (!reply.done()) {
        // The copy has what the segment has not.
        copies.drop(key);
        return take(attempt + 1);
      }
      copy.written(mark);
      var isConfirmed = filter.segments() == 1;
      return Uni.createFrom()
          .item(outcomes(applied, copy, reply.next(), isConfirmed, reply.replicas()));
    }
  }

  /** Whether a failure tells something of the filter, not only of the way to Redis. */
  private static boolean isOfFilter(Throwable failure) {
    return !isOfChanges(failure)
        && !(failure instanceof BloomException error && error.code() == ErrorCode.NOT_REPLICATED);
  }

  /** Whether who changes nothing may not have met it; a replica refuses changes alone. */
  private static boolean isOfChanges(Throwable failure) {
    return failure instanceof BloomException error
        && (error.code() == ErrorCode.STORE_FULL
            || error.code() == ErrorCode.STORE_OUTCOME_UNKNOWN
            || error.code() == ErrorCode.STORE_UNAVAILABLE);
  }
}
