package io.github.bloomgate.model.error;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Finds the name that was meant by a misspelt one. */
public final class NearestName {

  private NearestName() {}

  /** The most similar of the known names; empty if none is similar. */
  public static Optional<String> to(String name, Collection<String> known) {
    return to(name, known, UnaryOperator.identity());
  }

  /**
   * The most similar of the known names; empty if none is similar.
   *
   * @param compared the part of a name that is compared
   */
  public static Optional<String> to(
      String name, Collection<String> known, UnaryOperator<String> compared) {
    var wrong = compared.apply(name);
    return known.stream()
        .filter(other -> isSimilar(wrong, compared.apply(other)))
        .min(Comparator.comparingInt(other -> distance(wrong, compared.apply(other))));
  }

  /** Compares the lengths first, because a name from a client may be long. */
  private static boolean isSimilar(String wrong, String right) {
    var longer = Math.max(wrong.length(), right.length());
    var most = Math.max(2, longer / 3);
    return Math.abs(wrong.length() - right.length()) <= most && distance(wrong, right) <= most;
  }

  /** The Levenshtein distance of two names. */
  private static int distance(String from, String to) {
    var costs = new int[to.length() + 1];
    for (var j = 0; j <= to.length(); j++) {
      costs[j] = j;
    }
    for (var i = 1; i <= from.length(); i++) {
      var diagonal = costs[0];
      costs[0] = i;
      for (var j = 1; j <= to.length(); j++) {
        var changed = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = costs[j];
        costs[j] = Math.min(changed, 1 + Math.min(costs[j], costs[j - 1]));
      }
    }
    return costs[to.length()];
  }
}
