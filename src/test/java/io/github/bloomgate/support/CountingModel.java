package io.github.bloomgate.support;

import io.github.bloomgate.model.Counters;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a filter that counts is to answer, element by element: how often each is there. */
public final class CountingModel {

  private final Map<String, Integer> counts = new HashMap<>();

  public boolean[] add(List<String> elements) {
    var flags = new boolean[elements.size()];
    for (var i = 0; i < flags.length; i++) {
      flags[i] = count(elements.get(i)) == 0;
      counts.merge(elements.get(i), 1, (some, one) -> Math.min(Counters.MOST, some + one));
    }
    return flags;
  }

  /** What was added so often that nobody knows how often stays. */
  public boolean[] remove(List<String> elements) {
    var flags = new boolean[elements.size()];
    for (var i = 0; i < flags.length; i++) {
      var count = count(elements.get(i));
      flags[i] = count > 0;
      if (count > 0 && count < Counters.MOST) {
        counts.put(elements.get(i), count - 1);
      }
    }
    return flags;
  }

  public boolean[] test(List<String> elements) {
    var flags = new boolean[elements.size()];
    for (var i = 0; i < flags.length; i++) {
      flags[i] = count(elements.get(i)) > 0;
    }
    return flags;
  }

  public byte[] count(List<String> elements) {
    var some = new byte[elements.size()];
    for (var i = 0; i < some.length; i++) {
      some[i] = (byte) count(elements.get(i));
    }
    return some;
  }

  public void clear() {
    counts.clear();
  }

  private int count(String element) {
    return counts.getOrDefault(element, 0);
  }
}
