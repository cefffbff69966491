package io.github.bloomgate.elements;

import io.github.bloomgate.journal.SegmentCopies;
import io.github.bloomgate.journal.SegmentCopy;
import io.github.bloomgate.journal.SegmentKey;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.memory.MemoryBudget.Use;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.store.FoldReply;
import io.github.bloomgate.store.JournalStore;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * Reads whole segments as copies, and puts copies in the place of segments' bitmaps. For whoever
 * has the turn of the segment, see {@link SegmentJournals}.
 */
@Singleton
@Startup
public final class SegmentSnapshots {

  private static final Logger LOG = Logger.getLogger(SegmentSnapshots.class);

  /**
   * A journal with this part of the bytes of the bitmap a script replays for less than a snapshot.
   */
  private static final int FEW_PART = 64;

  /** So does one of so few bytes, however small the bitmap is. */
  private static final int FEW_BYTES = 256;

  private final JournalStore journals;
  private final SegmentCopies copies;
  private final MemoryBudget memory;
  private final Counter reads;
  private final Counter rereads;
  private final Counter written;
  private final Counter changed;

  public SegmentSnapshots(
      JournalStore journals, SegmentCopies copies, MemoryBudget memory, MeterRegistry metrics) {
    this.journals = journals;
    this.copies = copies;
    this.memory = memory;
    this.reads = reads(metrics, "first");
    this.rereads = reads(metrics, "again");
    this.written = snapshots(metrics, "written");
    this.changed = snapshots(metrics, "changed");
    copies.onDropped(this::bringHome);
  }

  private static Counter reads(MeterRegistry metrics, String reason) {
    return Counter.builder("bloom.copies.reads")
        .description("Number of segments that were read as a whole.")
        .tag("reason", reason)
        .register(metrics);
  }

  private static Counter snapshots(MeterRegistry metrics, String result) {
    return Counter.builder("bloom.journal.snapshots")
        .description(
            "Number of snapshots that were to take the place of a segment's, by what became of them.")
        .tag("result", result)
        .register(metrics);
  }

  /**
   * Reads a segment, and holds the copy. Waits for memory if need be.
   *
   * @param again whether there was one that turned out to be of no use
   * @return empty if there is no memory for it
   */
  Uni<Optional<SegmentCopy>> read(SegmentKey key, boolean again) {
    (again ? rereads : reads).increment();
    return memory
        .holding(Use.BITMAPS, bytesToRead(key), () -> journals.follow(key.filter(), key.segment()))
        .map(read -> read.filter(copy -> copies.put(key, copy)))
        .onFailure(SegmentSnapshots::isOverloaded)
        .recoverWithItem(Optional::empty);
  }

  private static boolean isOverloaded(Throwable failure) {
    return failure instanceof BloomException error && error.code() == ErrorCode.OVERLOADED;
  }

  /**
   * Changes a copy, and puts it in the place of a segment's snapshot.
   *
   * @param change adds to the copy
   * @param mark of the change
   * @return empty, and nothing was changed, if there is no memory for it
   */
  Uni<Optional<FoldReply>> write(
      SegmentKey key, SegmentCopy copy, Runnable change, String mark, Durability durability) {
    return inRoom(
            key,
            () -> {
              var before = copy.reached();
              change.run();
              return journals.fold(key.filter(), key.segment(), copy, before, mark, durability);
            })
        .invoke(reply -> reply.ifPresent(this::count));
  }

  /** Puts a copy in the place of a segment's snapshot, unless that has come as far. */
  Uni<Void> fold(SegmentKey key, SegmentCopy copy) {
    return inRoom(
            key,
            () ->
                journals.fold(
                    key.filter(), key.segment(), copy, copy.reached(), "", Durability.PRIMARY))
        .invoke(
            reply ->
                reply.ifPresent(
                    known -> {
                      count(known);
                      copy.note(known.base(), known.folded());
                    }))
        .replaceWithVoid();
  }

  private void count(FoldReply reply) {
    (reply.done() ? written : changed).increment();
  }

  /**
   * Brings what is journaled into the bitmap.
   *
   * @param drop whether the journal is dropped too
   */
  Uni<Void> rest(SegmentKey key, SegmentCopy copy, boolean drop) {
    return (copy.unfolded() > Math.max(FEW_BYTES, copy.bytes() / FEW_PART)
            ? fold(key, copy)
            : Uni.createFrom().voidItem())
        .chain(
            () ->
                copy.unfolded() > 0 || drop
                    ? journals
                        .replay(key.filter(), key.segment(), drop)
                        .invoke(() -> copy.replayed(drop))
                    : Uni.createFrom().voidItem());
  }

  /** What is journaled of a copy that is dropped would wait for the next who uses the segment. */
  void bringHome(SegmentKey key, SegmentCopy copy) {
    if (copy.unfolded() > 0) {
      journals
          .replay(key.filter(), key.segment(), false)
          .subscribe()
          .with(
              done -> {},
              failure ->
                  LOG.debugf(
                      "The journal of a segment of filter %s stays: %s",
                      key.filter().name(), failure));
    }
  }

  /**
   * A snapshot and a journal of half its length, in pieces, in the buffer in which these come
   * together, up to twice as large, and as a whole. It also keeps the reads of a large filter from
   * waiting for each other for longer than a call may take.
   */
  private static long bytesToRead(SegmentKey key) {
    return 6 * key.shape().segmentBytes();
  }

  /** A snapshot, likewise. */
  private static long bytesToWrite(SegmentKey key) {
    return 4 * key.shape().segmentBytes();
  }

  /** Does without where there is no memory. */
  private <T> Uni<Optional<T>> inRoom(SegmentKey key, Supplier<Uni<T>> work) {
    var bytes = bytesToWrite(key);
    return Uni.createFrom()
        .deferred(
            () ->
                memory.take(Use.BITMAPS, bytes)
                    ? Uni.createFrom()
                        .deferred(work::get)
                        .map(Optional::of)
                        .onTermination()
                        .invoke(() -> memory.giveBack(Use.BITMAPS, bytes))
                    : Uni.createFrom().item(Optional.empty()));
  }
}
