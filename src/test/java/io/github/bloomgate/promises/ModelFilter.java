package io.github.bloomgate.promises;

import java.util.List;

/** One filter of {@link ModelFilters}. */
final class ModelFilter {

  ModelContent live;
  boolean expires;

  /** The next generation, or null. */
  ModelContent next;

  boolean loaded;

  ModelFilter(ModelContent content) {
    live = content;
  }

  ModelFilter copy() {
    var copy = new ModelFilter(live.copy());
    copy.expires = expires;
    copy.next = next == null ? null : next.copy();
    copy.loaded = loaded;
    return copy;
  }

  /** Equal texts mean equal filters. Called for each order, so it must be fast. */
  String text() {
    return describe() + " " + live + " " + next + " " + loaded + ";";
  }

  /** Whether the content, and an open rebuild's, has all these elements. */
  boolean hasAll(List<Integer> elements) {
    return live.ages.keySet().containsAll(elements)
        && (next == null || next.ages.keySet().containsAll(elements));
  }

  String describe() {
    return live.shape + (expires ? " expires" : "") + (next == null ? "" : " rebuild");
  }

  void put(ModelContent content) {
    live = content;
    next = null;
    loaded = false;
  }

  /** Whether only one of the two has a window or counters. */
  boolean isUnlike(int shape) {
    var next = new ModelContent(shape);
    return (live.forgets() && !next.forgets()) || live.counts() != next.counts();
  }
}
