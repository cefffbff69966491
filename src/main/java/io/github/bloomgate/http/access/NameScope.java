package io.github.bloomgate.http.access;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * The names that a key may use: those with one of its prefixes, or all.
 *
 * <p>The prefixes are in order and none is a prefix of another, so the names of each come after the
 * names of the one before.
 */
public record NameScope(List<String> prefixes) {

  public static final NameScope ALL = new NameScope(List.of(""));

  /** The names with one of these prefixes; all if there are none. */
  static NameScope of(Collection<String> prefixes) {
    if (prefixes.isEmpty()) {
      return ALL;
    }
    var kept = new ArrayList<String>();
    for (var prefix : new TreeSet<>(prefixes)) {
      if (kept.stream().noneMatch(prefix::startsWith)) {
        kept.add(prefix);
      }
    }
    return new NameScope(List.copyOf(kept));
  }

  public boolean isAll() {
    return prefixes.get(0).isEmpty();
  }

  public boolean includes(String name) {
    return prefixes.stream().anyMatch(name::startsWith);
  }

  /** The prefixes of all names in this scope that begin with {@code prefix}, in order. */
  public List<String> within(String prefix) {
    if (includes(prefix)) {
      return List.of(prefix);
    }
    return prefixes.stream().filter(own -> own.startsWith(prefix)).toList();
  }

  /** The prefixes for display; empty for all names. */
  @Override
  public String toString() {
    return String.join(", ", prefixes);
  }
}
