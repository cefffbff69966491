package io.github.bloomgate.laws;

import io.github.bloomgate.model.Counters;
import java.util.List;
import java.util.TreeMap;

/**
 * What one generation remembers: each element, and how many slices ago it was added; of one that
 * counts how often.
 */
final class ModelContent {
  final int shape;
  final TreeMap<Integer, Integer> ages = new TreeMap<>();
  private final TreeMap<Integer, Integer> counts = new TreeMap<>();
  private int taken;

  ModelContent(int shape) {
    this.shape = shape;
  }

  ModelContent copy() {
    var copy = new ModelContent(shape);
    copy.ages.putAll(ages);
    copy.counts.putAll(counts);
    copy.taken = taken;
    return copy;
  }

  boolean forgets() {
    return shape == ModelledService.FORGETTING || shape == ModelledService.FORGETTING_BY_INSERTIONS;
  }

  boolean counts() {
    return shape == ModelledService.COUNTING;
  }

  /** Whether it can be joined with others. */
  boolean isPlain() {
    return !forgets() && !counts();
  }

  String remove(List<Integer> elements) {
    return ModelFilters.flags(elements.stream().map(this::remove).toList());
  }

  private boolean remove(int element) {
    var count = counts.getOrDefault(element, 0);
    if (count > 0 && count < Counters.MOST) {
      counts.put(element, count - 1);
    }
    if (count == 1) {
      ages.remove(element);
    }
    return count > 0;
  }

  String add(List<Integer> elements) {
    return ModelFilters.flags(elements.stream().map(this::add).toList());
  }

  private boolean add(int element) {
    var age = ages.get(element);
    if (counts()) {
      counts.merge(element, 1, (some, one) -> Math.min(Counters.MOST, some + one));
    }
    if (age == null || age > 0) {
      if (shape == ModelledService.FORGETTING_BY_INSERTIONS && taken == ModelledService.PART) {
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

  /** A slice passes by the clock. */
  void pass() {
    if (shape == ModelledService.FORGETTING) {
      turn();
    }
  }

  @Override
  public String toString() {
    return shape == ModelledService.FORGETTING_BY_INSERTIONS
        ? "%d:%s %d".formatted(shape, ages, taken)
        : "%d:%s".formatted(shape, counts() ? counts : ages);
  }
}
