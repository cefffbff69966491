package io.github.bloomgate.http.answer;

import io.github.bloomgate.model.Counters;

/** The counts of elements. */
public record CountResult(int[] counts, int countsUpTo) {

  public static CountResult of(byte[] counts) {
    var numbers = new int[counts.length];
    for (var i = 0; i < numbers.length; i++) {
      numbers[i] = counts[i];
    }
    return new CountResult(numbers, Counters.MOST);
  }
}
