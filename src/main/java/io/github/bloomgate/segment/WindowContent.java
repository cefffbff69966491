package io.github.bloomgate.segment;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A segment whose elements expire, in the rings of {@link WindowLayout}. An element has the same
 * positions in each ring.
 *
 * <p>The outcome of an entry depends on its stamp and the entries before it, never on the clock of
 * an instance. An older stamp counts as the newest so far, so that no element expires early.
 */
final class WindowContent extends SegmentContent {

  private final Rings rings;
  private final WindowLayout layout;

  /** The newest stamp. */
  private long stamped;

  private long now;

  /**
   * @param header from {@link #kindHeader}
   * @throws IllegalArgumentException if the header does not fit the rings
   */
  WindowContent(
      Bitmap bits, int k, WindowLayout layout, long insertions, long stamped, byte[] header) {
    super(bits, k, insertions);
    this.rings = new Rings(bits, k, layout.rings(), header);
    this.layout = layout;
    this.stamped = stamped;
    this.now = stamped;
  }

  @Override
  public boolean contains(int[] positions, int from) {
    return contains(positions, from, Math.max(now, stamped));
  }

  private boolean contains(int[] positions, int from, long at) {
    // Recent elements are tested most often.
    for (var i = 0; i < layout.rings(); i++) {
      var ring = Math.floorMod(rings.newest() - i, layout.rings());
      if (isRemembered(ring, at) && rings.contains(ring, positions, from)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public int lookUpBits() {
    return k * rings.used();
  }

  private boolean isRemembered(int ring, long at) {
    return rings.isUsed(ring) && layout.isRemembered(rings.end(ring), at);
  }

  /** By insertions, adds by other instances may expire this element first. */
  @Override
  public boolean addIsNoOp(int[] positions, int from) {
    var at = Math.max(now, stamped);
    return layout.isByTime()
        && (layout.refresh() ? isInNewest(positions, from, at) : contains(positions, from, at));
  }

  /** Whether an element is in the newest ring and that ring still takes elements. */
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
  public Verdict add(int[] positions, int from, long stamp) {
    stamped = Math.max(stamped, stamp);
    var isKnown = contains(positions, from, stamped);
    if (isKnown && (!layout.refresh() || isInNewest(positions, from, stamped))) {
      return Verdict.KNOWN;
    }
    if (layout.isByTime()) {
      putAt(stamped, positions, from);
    } else {
      put(nextByInsertions(), positions, from);
    }
    if (isKnown) {
      return Verdict.KNOWN;
    }
    insertions++;
    return Verdict.CHANGED;
  }

  private int nextByInsertions() {
    var newest = rings.newest();
    if (!isOpen(0)) {
      var number = newest < 0 ? 1 : rings.begin(newest) + 1;
      begin((newest + 1) % layout.rings(), number, number);
    }
    return rings.newest();
  }

  /** Writes an element to the newest ring, to a new one, or to a full one. */
  private void putAt(long at, int[] positions, int from) {
    if (!isOpen(at)) {
      var oldest = rings.oldest();
      if (isRemembered(oldest, at)) {
        var overfull = overfullRing(at);
        put(overfull, positions, from);
        rings.setEnd(overfull, Math.max(rings.end(overfull), at));
        return;
      }
      begin(oldest, at, at + layout.sliceMillis());
    }
    var newest = rings.newest();
    put(newest, positions, from);
    if (rings.elements(newest) == layout.ringInsertions()) {
      rings.setEnd(newest, at);
    }
  }

  private void put(int ring, int[] positions, int from) {
    noteMissing(ring, positions, from);
    rings.put(ring, positions, from);
  }

  private void begin(int ring, long begin, long end) {
    if (changes != null) {
      changes.noteEmptied(ring);
    }
    rings.begin(ring, begin, end);
  }

  /** With more elements than expected the false-positive rate rises, but none expires early. */
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

  /** Accepts earlier times too: elements added after that have earlier stamps and are kept. */
  @Override
  public void advanceTo(long millis) {
    now = millis;
  }

  /**
   * Adds the elements of another segment with the same window. By time, each element keeps its age.
   * By insertions, the other's elements count as older.
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
    older.forEach(ring -> ring.bits().free());
    newer.forEach(ring -> ring.bits().free());
  }

  /** The indexes of two rings, and the count and span of both as one. */
  private record Join(int first, int second, long count, long span) {

    static Join of(List<Rings.Ring> rings, int first, int second) {
      var one = rings.get(first);
      var other = rings.get(second);
      return new Join(
          first,
          second,
          one.count() + other.count(),
          Math.max(one.end(), other.end()) - one.begin());
    }
  }

  /**
   * Joins rings until there are few enough. More elements than usual raise a ring's false-positive
   * rate, and a longer span delays its expiry, by a slice at most if possible.
   *
   * @param copies oldest first
   */
  private void joinByTime(List<Rings.Ring> copies) {
    var joined = new ArrayList<>(copies);
    while (joined.size() > layout.rings()) {
      var join = cheapest(joined);
      joined.set(join.first, joined.get(join.first).with(joined.remove(join.second)));
    }
    joined.forEach(ring -> rings.append(ring, ring.begin(), ring.end()));
  }

  private Join cheapest(List<Rings.Ring> copies) {
    var cost =
        Comparator.comparing((Join join) -> join.span > 2 * layout.sliceMillis())
            .thenComparingLong(join -> Math.max(layout.ringInsertions(), join.count))
            .thenComparingLong(join -> join.span);
    var cheapest = Join.of(copies, 0, 1);
    for (var first = 0; first < copies.size(); first++) {
      for (var second = first + 1; second < copies.size(); second++) {
        var join = Join.of(copies, first, second);
        if (cost.compare(join, cheapest) < 0) {
          cheapest = join;
        }
      }
    }
    return cheapest;
  }

  /** Only the newest ring may be partly full; otherwise older ones would expire early. */
  private void joinByInsertions(List<Rings.Ring> older, List<Rings.Ring> newer) {
    var joined = new ArrayList<>(older);
    joined.addAll(newer);
    var last = older.size() - 1;
    if (last >= 0 && !newer.isEmpty() && older.get(last).count() < layout.ringInsertions()) {
      joined.set(last, joined.get(last).with(joined.remove(last + 1)));
    }
    var number = 1L;
    for (var ring : joined.subList(Math.max(0, joined.size() - layout.rings()), joined.size())) {
      rings.append(ring, number, number);
      number++;
    }
  }

  @Override
  public int planes() {
    return layout.rings();
  }

  @Override
  public boolean isPlaneEmpty(int ring) {
    return !isRemembered(ring, Math.max(now, stamped));
  }

  @Override
  public byte[] kindHeader() {
    return rings.header();
  }

  @Override
  public int positions() {
    return rings.positions();
  }
}
