package io.github.bloomgate.segment;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A segment that forgets, in rings as {@link WindowLayout} says. An element has the same positions
 * in each ring.
 *
 * <p>What becomes of an entry depends on its stamp and the entries before it, never on a clock of
 * the service. Stamps that go back count as the newest so far: nothing is forgotten early then.
 */
final class WindowContent implements SegmentContent {

  private final Rings rings;
  private final int k;
  private final WindowLayout layout;
  private long insertions;

  /** The newest stamp, and the time of Redis as far as it was told. */
  private long stamped;

  private long now;

  /**
   * A content.
   *
   * @param header what {@link #kindHeader} wrote
   * @throws IllegalArgumentException if it is not the header of such rings
   */
  WindowContent(
      Bitmap bits, int k, WindowLayout layout, long insertions, long stamped, byte[] header) {
    this.rings = new Rings(bits, k, layout.rings(), header);
    this.k = k;
    this.layout = layout;
    this.insertions = insertions;
    this.stamped = stamped;
    this.now = stamped;
  }

  @Override
  public boolean contains(int[] positions, int from) {
    return contains(positions, from, Math.max(now, stamped));
  }

  private boolean contains(int[] positions, int from, long at) {
    // Elements that came last are asked for most.
    for (var i = 0; i < layout.rings() && rings.newest() >= 0; i++) {
      var ring = Math.floorMod(rings.newest() - i, layout.rings());
      if (isRemembered(ring, at) && rings.contains(ring, positions, from)) {
        return true;
      }
    }
    return false;
  }

  private boolean isRemembered(int ring, long at) {
    return rings.isUsed(ring)
        && (!layout.isByTime() || at < rings.end(ring) + layout.windowMillis());
  }

  /** By insertions the elements of other instances may push this one out before it is added. */
  @Override
  public boolean isSettled(int[] positions, int from) {
    var at = Math.max(now, stamped);
    return layout.isByTime()
        && (layout.refresh() ? isInNewest(positions, from, at) : contains(positions, from, at));
  }

  /** Whether an element is in the newest ring while that takes elements. */
  private boolean isInNewest(int[] positions, int from, long at) {
    return isOpen(at) && rings.contains(rings.newest(), positions, from);
  }

  /** Whether the newest ring takes elements. */
  private boolean isOpen(long at) {
    var newest = rings.newest();
    return newest >= 0
        && rings.elements(newest) < layout.ringInsertions()
        && (!layout.isByTime() || at < rings.begin(newest) + layout.sliceMillis());
  }

  @Override
  public Added add(int[] positions, int from, long stamp) {
    stamped = Math.max(stamped, stamp);
    var isKnown = contains(positions, from, stamped);
    if (isKnown && (!layout.refresh() || isInNewest(positions, from, stamped))) {
      return Added.KNOWN;
    }
    if (layout.isByTime()) {
      putAt(stamped, positions, from);
    } else {
      rings.put(nextByInsertions(), positions, from);
    }
    if (isKnown) {
      return Added.KNOWN;
    }
    insertions++;
    return Added.NEW;
  }

  private int nextByInsertions() {
    var newest = rings.newest();
    if (!isOpen(0)) {
      var number = newest < 0 ? 1 : rings.begin(newest) + 1;
      rings.begin((newest + 1) % layout.rings(), number, number);
    }
    return rings.newest();
  }

  /** Puts an element into the newest ring, into one that begins now, or into a full one. */
  private void putAt(long at, int[] positions, int from) {
    var isOpen = isOpen(at);
    var ring = isOpen ? rings.newest() : rings.oldest();
    if (!isOpen && isRemembered(ring, at)) {
      var overfull = overfullRing(at);
      rings.put(overfull, positions, from);
      rings.setEnd(overfull, Math.max(rings.end(overfull), at));
      return;
    }
    if (!isOpen) {
      rings.begin(ring, at, at + layout.sliceMillis());
    }
    rings.put(ring, positions, from);
    if (rings.elements(ring) == layout.ringInsertions()) {
      rings.setEnd(ring, at);
    }
  }

  /**
   * More elements came than the window is made for: the rate rises, and none is forgotten early.
   */
  private int overfullRing(long at) {
    var emptiest = rings.newest();
    for (var ring = 0; ring < layout.rings(); ring++) {
      if (at < rings.begin(ring) + layout.sliceMillis()
          && rings.elements(ring) < rings.elements(emptiest)) {
        emptiest = ring;
      }
    }
    return emptiest;
  }

  /** The chance that an element that was never added is found in any ring, by the bits set. */
  double falsePositiveProbability() {
    var at = Math.max(now, stamped);
    var inNone = 1.0;
    for (var ring = 0; ring < layout.rings(); ring++) {
      if (isRemembered(ring, at)) {
        inNone *= 1 - Math.pow(rings.fill(ring), k);
      }
    }
    return 1 - inNone;
  }

  /** Also back: elements that are added then have stamps from before, and are remembered. */
  @Override
  public void advanceTo(long millis) {
    now = millis;
  }

  /**
   * Adds what another segment with the same window remembers. By time each element keeps its age.
   * By insertions the other's elements count as older than all that are here.
   */
  @Override
  public void addAll(SegmentContent some) {
    var other = (WindowContent) some;
    insertions += other.insertions;
    stamped = Math.max(stamped, other.stamped);
    now = Math.max(now, other.now);
    var older = other.rings.copies();
    var newer = rings.copies();
    rings.clear();
    if (layout.isByTime()) {
      joinByTime(
          Stream.concat(older.stream(), newer.stream())
              .filter(ring -> ring.end() + layout.windowMillis() > now)
              .sorted(Comparator.comparingLong(Rings.Ring::begin))
              .toList());
    } else {
      joinByInsertions(older, newer);
    }
  }

  /**
   * Joins no more rings than must be, those that began close to each other first: the more elements
   * a ring has, the higher is its rate, and the longer it spans, the later they are forgotten.
   */
  private void joinByTime(List<Rings.Ring> copies) {
    var groups = groups(copies, 1);
    for (var parts = 2; groups.size() > layout.rings() && parts <= copies.size(); parts *= 2) {
      groups = groups(copies, parts);
    }
    for (var group : groups) {
      var first = group.get(0);
      var end = group.stream().mapToLong(Rings.Ring::end).max().orElseThrow();
      if (rings.newest() + 1 < layout.rings()) {
        rings.append(first, first.begin(), end);
      } else {
        rings.join(first);
        rings.setEnd(rings.newest(), Math.max(rings.end(rings.newest()), end));
      }
      group.stream().skip(1).forEach(rings::join);
    }
  }

  /** Rings one after the other that become one of so many times the elements, or fewer. */
  private List<List<Rings.Ring>> groups(List<Rings.Ring> copies, int parts) {
    var groups = new ArrayList<List<Rings.Ring>>();
    var begin = 0L;
    var count = 0L;
    for (var ring : copies) {
      count += ring.count();
      if (groups.isEmpty()
          || count > (long) parts * layout.ringInsertions()
          || ring.end() - begin > Math.min(parts, 2) * layout.sliceMillis()) {
        groups.add(new ArrayList<>());
        begin = ring.begin();
        count = ring.count();
      }
      groups.get(groups.size() - 1).add(ring);
    }
    return groups;
  }

  /** A ring that is not full must not end between others: those before it were forgotten early. */
  private void joinByInsertions(List<Rings.Ring> older, List<Rings.Ring> newer) {
    var last = older.isEmpty() ? Long.MAX_VALUE : older.get(older.size() - 1).count();
    var isShared = last < layout.ringInsertions() && !newer.isEmpty();
    var skipped = Math.max(0, older.size() + newer.size() - (isShared ? 1 : 0) - layout.rings());
    var number = 1L;
    for (var ring : older.subList(skipped, older.size())) {
      rings.append(ring, number, number);
      number++;
    }
    if (isShared) {
      rings.join(newer.get(0));
    }
    for (var ring : newer.subList(isShared ? 1 : 0, newer.size())) {
      rings.append(ring, number, number);
      number++;
    }
  }

  @Override
  public byte[] kindHeader() {
    return rings.header();
  }

  /** It always takes new elements, and forgets old ones. */
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
    return rings.positions();
  }

  @Override
  public long bitsSet() {
    return rings.bitsSet();
  }
}
