package io.github.bloomgate.journal;

import io.github.bloomgate.model.Slice;
import io.github.bloomgate.model.Window;
import java.util.Optional;

/**
 * A segment that forgets, see {@link Window}. Slice s has ring s modulo their number. {@code
 * lua/window.lua} does the same.
 *
 * <p>By time, an entry of the journal tells that a slice begins. By insertions that follows from
 * the entries alone: so all of them are journaled, as it depends on those of others what each does.
 */
final class WindowContent implements SegmentContent {

  private final Bitmap bits;
  private final int k;
  private final Window window;
  private final int ringBits;
  private long insertions;

  /** The slice that took an element last. */
  private long slice;

  /** How many it took. */
  private long taken;

  /** The slice that it is by the clock, when Redis was asked last. */
  private long now;

  WindowContent(Bitmap bits, int k, Window window, long insertions, Slice at) {
    this.bits = bits;
    this.k = k;
    this.window = window;
    this.ringBits = Byte.SIZE * (bits.capacity() / window.rings());
    this.insertions = insertions;
    this.slice = at.number();
    this.taken = at.taken();
    this.now = at.now();
  }

  @Override
  public boolean contains(int[] positions, int from) {
    return contains(positions, from, Math.max(now(), slice));
  }

  /** Whether an element is known while it is a certain slice. */
  private boolean contains(int[] positions, int from, long current) {
    var oldest = Math.max(0, current - window.slices());
    // What was added last is asked for most.
    for (var some = slice; some >= oldest; some--) {
      if (isIn(some, positions, from)) {
        return true;
      }
    }
    return false;
  }

  private boolean isIn(long some, int[] positions, int from) {
    return bits.contains(positions, from, k, offset(some));
  }

  private int offset(long some) {
    return ringBits * (int) (some % window.rings());
  }

  @Override
  public boolean isSettled(int[] positions, int from) {
    return window.isByTime()
        && (window.refresh()
            ? slice == now && isIn(slice, positions, from)
            : contains(positions, from));
  }

  @Override
  public Added add(int[] positions, int from) {
    // Whoever replays this later has another clock.
    var isKnown = contains(positions, from, slice);
    if (isKnown && (!window.refresh() || isIn(slice, positions, from))) {
      return Added.KNOWN;
    }
    if (!window.isByTime() && taken >= window.sliceInsertions()) {
      turn(slice + 1);
    }
    bits.set(positions, from, k, offset(slice));
    taken++;
    if (isKnown) {
      return Added.KNOWN;
    }
    insertions++;
    return Added.NEW;
  }

  @Override
  public void turn() {
    turn(now());
  }

  /** Begins a slice, unless that or a later one has begun. */
  void turn(long begun) {
    if (begun <= slice) {
      return;
    }
    for (var some = Math.max(slice + 1, begun - window.slices()); some <= begun; some++) {
      bits.clear(offset(some) / Byte.SIZE, ringBits / Byte.SIZE);
    }
    slice = begun;
    taken = 0;
  }

  /**
   * Adds what another segment with the same window holds, each element as old as it is there; by
   * insertions, as what came after all that is here. Then the newest slice may have more than its
   * part, rather than that the oldest is forgotten early.
   */
  @Override
  public void addAll(SegmentContent some) {
    var other = (WindowContent) some;
    var shift = window.isByTime() ? 0 : slice;
    turn(Math.max(now(), shift + other.now()));
    for (var old = Math.max(0, other.slice - window.slices()); old <= other.slice; old++) {
      if (shift + old >= slice - window.slices()) {
        var bytes = ringBits / Byte.SIZE;
        bits.join(
            offset(shift + old) / Byte.SIZE, other.bits, other.offset(old) / Byte.SIZE, bytes);
      }
    }
    taken += slice == shift + other.slice ? other.taken : 0;
    insertions += other.insertions;
  }

  @Override
  public void setNow(long told) {
    now = told;
  }

  long now() {
    return window.isByTime() ? now : slice;
  }

  @Override
  public Optional<Slice> slice() {
    return Optional.of(new Slice(slice, taken, now()));
  }

  @Override
  public int looks() {
    return window.looks();
  }

  boolean isByTime() {
    return window.isByTime();
  }

  @Override
  public boolean isFull() {
    return false;
  }

  @Override
  public long insertions() {
    return insertions;
  }

  @Override
  public int positions() {
    return ringBits;
  }
}
