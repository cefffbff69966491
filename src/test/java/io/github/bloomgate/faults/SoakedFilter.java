package io.github.bloomgate.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What happened to a filter: every acknowledged add, and everything that makes a filter forget
 * elements. All times are from {@link System#nanoTime}. Thread-safe.
 */
final class SoakedFilter {

  /** Elements in the old content that {@link #somethingAdded} chooses from. */
  private static final int RECENT = 3000;

  /** Half of the tests are about the latest elements, which are most at risk. */
  private static final int LATEST = 20;

  /** An acknowledged element. */
  record Added(String element, long sentAt, long at) {}

  /**
   * A change that forgets elements, such as a clear.
   *
   * @param from when the change was sent
   * @param upTo elements whose add was sent later are not affected
   * @param kept other elements that are not affected
   */
  private record Drop(long from, long upTo, Set<String> kept) {}

  private final String name;

  /** How long an element is remembered; the largest number if there is no window. */
  private final long windowNanos;

  private final List<Added> added = new ArrayList<>();
  private final Map<String, Long> removals = new ConcurrentHashMap<>();
  private final Set<String> removed = ConcurrentHashMap.newKeySet();
  private final List<Drop> drops = new CopyOnWriteArrayList<>();

  SoakedFilter(String name, long windowNanos) {
    this.name = name;
    this.windowNanos = windowNanos;
  }

  String name() {
    return name;
  }

  String path(String operation) {
    return "/v1/filters/" + name + operation;
  }

  void acknowledged(List<String> elements, long sentAt) {
    var at = System.nanoTime();
    synchronized (added) {
      elements.forEach(element -> added.add(new Added(element, sentAt, at)));
    }
  }

  /** Must be called before the removal is sent. */
  void isBeingRemoved(Added one) {
    removals.put(one.element(), System.nanoTime());
  }

  void isRemoved(Added one) {
    removed.add(one.element());
  }

  /** Must be called before the change is sent. Returns the drop, which affects all elements. */
  Object isBeingDropped(Set<String> kept) {
    var drop = new Drop(System.nanoTime(), Long.MAX_VALUE, kept);
    drops.add(drop);
    return drop;
  }

  /** From when on added elements are not affected by a drop. */
  void affectsOnlyUpTo(Object drop, long upTo) {
    var all = (Drop) drop;
    drops.add(new Drop(all.from, upTo, all.kept));
    drops.remove(all);
  }

  /** Whether an element may have been forgotten when a test was answered. */
  boolean mayBeForgotten(Added one, long answeredAt) {
    var removedAt = removals.get(one.element());
    return (removedAt != null && removedAt - answeredAt < 0)
        || answeredAt - one.sentAt() >= windowNanos
        || drops.stream()
            .anyMatch(
                drop ->
                    drop.from - answeredAt < 0
                        && one.sentAt() <= drop.upTo
                        && !drop.kept.contains(one.element()));
  }

  /** Whether a removal or the end of the window has made it forget an element by now. */
  boolean hasForgotten(Added one, long windowWithSlicesNanos) {
    return removed.contains(one.element())
        || System.nanoTime() - one.at() >= Math.max(windowNanos, windowWithSlicesNanos);
  }

  List<Added> added() {
    synchronized (added) {
      return List.copyOf(added);
    }
  }

  /** An acknowledged element, or null if there is none yet. */
  Added somethingAdded(Random random) {
    synchronized (added) {
      var back = random.nextInt(random.nextBoolean() ? LATEST : RECENT);
      return added.isEmpty() ? null : added.get(Math.max(0, added.size() - 1 - back));
    }
  }

  Added latest() {
    synchronized (added) {
      return added.isEmpty() ? null : added.get(added.size() - 1);
    }
  }

  /** Up to this many of the latest elements. */
  List<Added> latest(int most) {
    synchronized (added) {
      return List.copyOf(added.subList(Math.max(0, added.size() - most), added.size()));
    }
  }
}
