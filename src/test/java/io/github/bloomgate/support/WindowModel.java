package io.github.bloomgate.support;

import io.github.bloomgate.model.Window;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a filter with a window is to answer, element by element, with a clock of its own. */
public final class WindowModel {

  private final Window window;
  private final Map<String, Long> addedIn = new HashMap<>();
  private long slice;
  private long taken;

  public WindowModel(Window window) {
    this.window = window;
  }

  /** Lets slices pass by the clock. */
  public void turn(long slices) {
    slice += slices;
  }

  public void clear() {
    addedIn.clear();
    if (!window.isByTime()) {
      taken = 0;
    }
  }

  public boolean contains(String element) {
    var added = addedIn.get(element);
    return added != null && added >= slice - window.slices();
  }

  public boolean add(String element) {
    var isNew = !contains(element);
    if (isNew || (window.refresh() && addedIn.get(element) < slice)) {
      if (!window.isByTime() && taken == window.sliceInsertions()) {
        slice++;
        taken = 0;
      }
      taken++;
      addedIn.put(element, slice);
    }
    return isNew;
  }

  public boolean[] add(List<String> elements) {
    var flags = new boolean[elements.size()];
    for (var i = 0; i < flags.length; i++) {
      flags[i] = add(elements.get(i));
    }
    return flags;
  }

  public boolean[] test(List<String> elements) {
    var flags = new boolean[elements.size()];
    for (var i = 0; i < flags.length; i++) {
      flags[i] = contains(elements.get(i));
    }
    return flags;
  }
}
