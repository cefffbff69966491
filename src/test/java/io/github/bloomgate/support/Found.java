package io.github.bloomgate.support;

import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What patterns find in texts. */
public final class Found {

  private Found() {}

  /** The first group of each match, without repetitions. */
  public static SortedSet<String> in(String text, Pattern pattern) {
    return pattern
        .matcher(text)
        .results()
        .map(match -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
