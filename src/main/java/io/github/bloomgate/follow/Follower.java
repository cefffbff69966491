package io.github.bloomgate.follow;

import io.github.bloomgate.elements.Moment;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.threads.OwnContext;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.time.Duration;
import java.util.BitSet;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A client that follows a filter: a place in the frames of its content, and the segments that it
 * must get as a whole first. {@link #next} is thread-safe; everything else runs on the thread of
 * the rounds.
 *
 * <p>Frames have the new values of bytes. So a segment may be sent as of any moment, and older
 * frames after it, if no {@code AT} comes before the frames as of that moment.
 */
public final class Follower {

  /** An {@code AT} is sent after this time even if nothing has changed. */
  private static final long SILENCE_NANOS = Duration.ofSeconds(1).toNanos();

  /** A {@code PLAN} is sent again after this time while copies are read; clients wait for 10 s. */
  private static final long PLAN_AGAIN_NANOS = Duration.ofSeconds(3).toNanos();

  /** Later, the rates of two clocks could differ by more than a few milliseconds. */
  private static final long LONGEST_NANOS = Duration.ofMinutes(10).toNanos();

  /** The bytes of bitmaps that are examined in one step. */
  private static final int MOST_EXAMINED = 1 << 20;

  private final FollowedFilter filter;
  private final Executor thread;
  private final Optional<Known> known;
  private final boolean isOnce;
  private final Moment begun = Moment.now();

  private FollowedContent content;
  private String plan;
  private FrameLog.Entry place;

  /** Segments to be sent as a whole. */
  private final BitSet pending = new BitSet();

  /** Pending segments that are empty at the client, so that zeros need not be sent. */
  private final BitSet untouched = new BitSet();

  /** Pending segments whose content the client may have already, by the marks that it sent. */
  private final BitSet brought = new BitSet();

  /** The segments that are, or were, pending; those of later layers are not yet. */
  private int pended;

  /** The frames that must be sent before the next {@code AT}. */
  private long mustReach;

  /** The place in the segment that is being sent. */
  private int segment = -1;

  private int plane;
  private int offset;
  private int examined;

  /** Whether the next step will follow by itself. */
  private boolean isContinuing;

  private volatile Moment sentAsOf;
  private long sentPlanNanos;
  private long firstAtNanos;
  private long sentAtNanos;
  private boolean hasChanged;
  private final AtomicLong bytes = new AtomicLong();
  private boolean isDone;
  private BloomException end;

  private UniEmitter<? super Piece> waiting;
  private OwnContext caller;

  /**
   * A part of the stream.
   *
   * @param isLast whether the stream ends after it
   * @param failure why it ends, if something went wrong
   */
  public record Piece(byte[] frames, boolean isLast, Optional<BloomException> failure) {}

  /**
   * @param known what the client has already
   * @param isOnce whether it leaves after the first {@code AT}
   */
  Follower(FollowedFilter filter, Executor thread, Optional<Known> known, boolean isOnce) {
    this.filter = filter;
    this.thread = thread;
    this.known = known;
    this.isOnce = isOnce;
  }

  /** The next part, as soon as there is one; each only after the one before was sent. */
  public Uni<Piece> next() {
    return Uni.createFrom()
        .emitter(
            emitter -> {
              var here = OwnContext.current();
              thread.execute(
                  () -> {
                    caller = here;
                    waiting = emitter;
                    send();
                  });
            });
  }

  /** Ends the stream, if its client has gone. */
  void leave() {
    isDone = true;
    waiting = null;
    filter.remove(this);
  }

  /** Ends the stream as soon as its client takes the next part. */
  void end(BloomException reason) {
    end = reason;
    send();
  }

  long bytes() {
    return bytes.get();
  }

  /** The age of what the client has; empty before it has everything. */
  Optional<Duration> age() {
    return Optional.ofNullable(sentAsOf).map(Moment::age);
  }

  /** Sends the next part, if there is one and the client waits for it. */
  void send() {
    if (waiting == null || isDone) {
      return;
    }
    compose().ifPresent(this::send);
  }

  private void send(Piece piece) {
    var receiver = waiting;
    waiting = null;
    isDone = piece.isLast;
    bytes.addAndGet(piece.frames.length);
    caller.run(() -> receiver.complete(piece));
  }

  private Optional<Piece> compose() {
    examined = 0;
    var now = System.nanoTime();
    if (end != null || (sentAsOf != null && now - firstAtNanos > LONGEST_NANOS)) {
      return Optional.of(last(Optional.ofNullable(end)));
    }
    if (content != filter.content()) {
      begin(filter.content());
    }
    var frames = new FrameWriter();
    var isReady = isNewerThanClient();
    var failure = isReady ? Optional.<BloomException>empty() : filter.failureSince(begun);
    if (failure.isPresent()) {
      return Optional.of(last(failure));
    }
    if (!content.plan().equals(plan) || (!isReady && now - sentPlanNanos > PLAN_AGAIN_NANOS)) {
      plan = content.plan();
      sentPlanNanos = now;
      pendNew();
      frames.plan(plan);
    }
    var isComplete = isReady && addContent(frames);
    if (frames.isEmpty()) {
      if (examined >= MOST_EXAMINED) {
        goOn();
      }
      return Optional.empty();
    }
    return Optional.of(new Piece(frames.bytes(), isComplete && isOnce, Optional.empty()));
  }

  /** Continues in another step. The timer makes others meanwhile, which must not multiply. */
  private void goOn() {
    if (isContinuing) {
      return;
    }
    isContinuing = true;
    thread.execute(
        () -> {
          isContinuing = false;
          send();
        });
  }

  private static Piece last(Optional<BloomException> failure) {
    return new Piece(new byte[0], true, failure);
  }

  /**
   * Whether the copies are newer than everything the client has, perhaps from another instance.
   * Otherwise, its bits would be older than its last {@code AT}.
   */
  private boolean isNewerThanClient() {
    return content.complete().filter(its -> !its.asOf().sent().isBefore(begun)).isPresent();
  }

  /** Adds what the client lacks; returns whether it then has everything. */
  private boolean addContent(FrameWriter frames) {
    while (addSome(frames)) {}
    hasChanged |= !frames.isEmpty();
    return addAt(frames);
  }

  /**
   * Adds a frame or a part of a segment; false if nothing is left that can be added, or no room.
   */
  private boolean addSome(FrameWriter frames) {
    if (place.isBehind()) {
      catchUp();
    }
    // If changes waited for whole segments, the log would drop them while a large filter is sent,
    // and segments would have to be sent again.
    return place.next().isPresent() ? addNext(frames) : !pending.isEmpty() && fill(frames);
  }

  private void begin(FollowedContent changed) {
    var has =
        known.filter(some -> content == null && some.incarnation().equals(changed.incarnation()));
    content = changed;
    plan = null;
    hasChanged = true;
    leaveSegment();
    mustReach = 0;
    pending.clear();
    untouched.clear();
    brought.clear();
    var found = has.flatMap(Known::resume).flatMap(changed::find);
    place = found.orElseGet(changed.log()::last);
    if (found.isEmpty()) {
      pending.set(0, changed.segments());
      (has.isPresent() ? brought : untouched).set(0, changed.segments());
    }
    pended = changed.segments();
  }

  /** The segments of layers that were added. */
  private void pendNew() {
    pending.set(pended, content.segments());
    untouched.set(pended, content.segments());
    pended = content.segments();
  }

  /** Frames after the place were dropped, so what has changed since is sent as a whole. */
  private void catchUp() {
    for (var index = 0; index < content.segments(); index++) {
      if (content.hasChanged(index, place)) {
        pend(index);
      }
    }
    place = content.log().last();
  }

  /** Sends all of a segment, from the beginning if it is being sent. */
  private void pend(int index) {
    pending.set(index);
    if (index == segment) {
      interrupt();
    }
  }

  /**
   * Moves the place to the next entry, with its frame if the client has a part of its segment;
   * false if there is no room.
   */
  private boolean addNext(FrameWriter frames) {
    var entry = place.next().orElseThrow();
    var frame = entry.frame();
    if (frame.isEmpty()) {
      pend(entry.segment());
    } else if (!isWholeDue(entry.segment())) {
      if (!frames.fits(frame.get())) {
        return false;
      }
      frames.add(frame.get());
    }
    place = entry;
    return true;
  }

  /** Whether all of a segment is still to be sent. */
  private boolean isWholeDue(int index) {
    return pending.get(index) && !(index == segment && isBegun());
  }

  private boolean isBegun() {
    return plane > 0 || offset > 0;
  }

  /** Adds a part of a pending segment; false if there is none with a copy, or no room. */
  private boolean fill(FrameWriter frames) {
    if (segment < 0) {
      segment = pending.nextSetBit(0);
    }
    var copy = content.collect(segment);
    while (copy.isEmpty()) {
      var next = pending.nextSetBit(segment + 1);
      interrupt();
      if (next < 0) {
        return false;
      }
      segment = next;
      copy = content.collect(segment);
    }
    mustReach = content.log().last().number();
    if (!isBegun()) {
      // Only changes of this segment have just been added to the log, and it is sent as of now.
      place = content.log().last();
    }
    if (isBrought()) {
      endSegment();
      return true;
    }
    return fill(frames, copy.get());
  }

  /** Whether the client has brought the current content of the segment whose turn it is. */
  private boolean isBrought() {
    var asItCame = brought.get(segment);
    brought.clear(segment);
    return asItCame && known.filter(some -> content.isKnown(some, segment)).isPresent();
  }

  private void endSegment() {
    pending.clear(segment);
    untouched.clear(segment);
    leaveSegment();
  }

  private void leaveSegment() {
    segment = -1;
    plane = 0;
    offset = 0;
  }

  /** Begins with the segment again when its turn comes. */
  private void interrupt() {
    if (isBegun()) {
      untouched.clear(segment);
    }
    leaveSegment();
  }

  private boolean fill(FrameWriter frames, SegmentCopy copy) {
    var planes = copy.content().planes();
    for (; plane < planes; plane++, offset = 0) {
      if (!fill(frames, copy, plane)) {
        return false;
      }
    }
    endSegment();
    return true;
  }

  private boolean fill(FrameWriter frames, SegmentCopy copy, int some) {
    var target = content.plane(segment, some);
    if (offset == 0 && copy.content().isPlaneEmpty(some)) {
      var empty = FrameWriter.empty(target);
      if (!untouched.get(segment)) {
        if (!frames.fits(empty)) {
          return false;
        }
        frames.add(empty);
      }
      return true;
    }
    var length = copy.content().planeBytes();
    while (offset < length) {
      var room = Math.min(frames.roomToFill(), length - offset);
      if (room <= 0 || examined >= MOST_EXAMINED) {
        return false;
      }
      var bits = new byte[room];
      copy.content().copyPlane(some, offset, bits, 0, room);
      examined += room;
      if (!untouched.get(segment) || hasBits(bits)) {
        frames.fill(target, offset, bits, room);
      }
      offset += room;
    }
    return true;
  }

  private static boolean hasBits(byte[] bits) {
    for (var octet : bits) {
      if (octet != 0) {
        return true;
      }
    }
    return false;
  }

  /** Adds an {@code AT}, if the client has everything and it is news. */
  private boolean addAt(FrameWriter frames) {
    var complete = content.complete();
    if (complete.isEmpty()
        || !pending.isEmpty()
        // Between the frames of one change, an element can be in neither of two rings, and the
        // segment already has the mark that it gets with the last frame.
        || !place.isComplete()
        || place.number() < Math.max(mustReach, complete.get().place())) {
      return false;
    }
    var now = System.nanoTime();
    var isNews = hasChanged && !complete.get().asOf().sent().equals(sentAsOf);
    if (!isNews && now - sentAtNanos < SILENCE_NANOS) {
      return false;
    }
    if (sentAsOf == null) {
      firstAtNanos = now;
    }
    sentAsOf = complete.get().asOf().sent();
    sentAtNanos = now;
    // An AT about these frames follows.
    hasChanged = place.number() > complete.get().place();
    frames.at(
        complete.get().asOf().redisMillis(),
        sentAsOf.age().plusNanos(999_999).toMillis(),
        Duration.ofNanos(now - begun.nanos()).toMillis(),
        content.resume(place));
    return true;
  }
}
