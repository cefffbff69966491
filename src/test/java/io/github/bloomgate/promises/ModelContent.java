package io.github.bloomgate.promises;

import io.github.bloomgate.model.Counting;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** The elements of one generation, with their age in slices or their count. */
final class ModelContent {
  final int shape;

  /** The number of the generation within a model. */
  int number;

  final TreeMap<Integer, Integer> ages = new TreeMap<>();
  private final TreeMap<Integer, Integer> counts = new TreeMap<>();
  private int taken;

  /** The number of slices by which it is ahead of the clock of Redis. */
  private int passed;

  ModelContent(int shape) {
    this.shape = shape;
  }

  ModelContent copy() {
    var copy = new ModelContent(shape);
    copy.number = number;
    copy.ages.putAll(ages);
    copy.counts.putAll(counts);
    copy.taken = taken;
    copy.passed = passed;
    return copy;
  }

  boolean forgets() {
    return shape == ModelledService.FORGETTING || byInsertions();
  }

  private boolean byInsertions() {
    return shape == ModelledService.FORGETTING_BY_INSERTIONS || shape == ModelledService.KEEPING;
  }

  boolean counts() {
    return counts(shape);
  }

  static boolean counts(int shape) {
    return shape == ModelledService.COUNTING || shape == ModelledService.BARE_COUNTING;
  }

  /** Whether it can be joined with others. */
  boolean canJoin() {
    return !counts() && !byInsertions();
  }

  /** Adds another content, using the later clock. */
  void join(ModelContent other) {
    var joined = other.copy();
    while (joined.passed < passed) {
      joined.pass();
    }
    while (passed < joined.passed) {
      pass();
    }
    joined.ages.forEach((element, age) -> ages.merge(element, age, Math::min));
  }

  /**
   * The content after an export and import. Its newest slice begins according to the clock of
   * Redis.
   */
  ModelContent exported() {
    var copy = copy();
    copy.passed = 0;
    return copy;
  }

  /** How often each element was added, minus how often it was removed. */
  String count(List<Integer> elements) {
    return elements.stream().map(element -> counts.getOrDefault(element, 0)).toList().toString();
  }

  String remove(List<Integer> elements) {
    return ModelFilters.flags(elements.stream().map(this::remove).toList());
  }

  private boolean remove(int element) {
    var count = counts.getOrDefault(element, 0);
    if (count > 0 && count < Counting.MOST) {
      counts.put(element, count - 1);
    }
    if (count == 1) {
      ages.remove(element);
    }
    return count > 0;
  }

  /** Adds elements. If the filter rejects some, the others are added. */
  String add(List<Integer> elements) {
    var flags = new ArrayList<Boolean>();
    var isFull = false;
    for (var element : elements) {
      if (rejects(element)) {
        isFull = true;
      } else {
        flags.add(add(element));
      }
    }
    return isFull ? "FILTER_FULL" : ModelFilters.flags(flags);
  }

  private boolean rejects(int element) {
    return shape == ModelledService.REJECTING
        && ages.size() >= ModelledService.MOST
        && !ages.containsKey(element);
  }

  private boolean add(int element) {
    var age = ages.get(element);
    if (counts()) {
      counts.merge(element, 1, (some, one) -> Math.min(Counting.MOST, some + one));
    }
    // If a ring is full, the element keeps its age.
    var isFull = byInsertions() && taken == ModelledService.PART;
    if (age == null || (shape != ModelledService.KEEPING && (age > 0 || isFull))) {
      if (isFull) {
        turn();
      }
      taken++;
      ages.put(element, 0);
    }
    return age == null;
  }

  private void turn() {
    ages.replaceAll((element, age) -> age + 1);
    ages.values().removeIf(age -> age > ModelledService.SLICES);
    taken = 0;
  }

  /** Ends a slice by the clock. */
  void pass() {
    if (shape == ModelledService.FORGETTING) {
      turn();
      passed++;
    }
  }

  @Override
  public String toString() {
    var held = shape + ":" + (counts() ? number + ":" + counts : ages) + " ";
    return held + (shape == ModelledService.FORGETTING_BY_INSERTIONS ? taken : passed);
  }
}
