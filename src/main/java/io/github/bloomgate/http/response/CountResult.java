package io.github.bloomgate.http.response;

import io.github.bloomgate.model.Counting;
import java.util.stream.IntStream;

/** The counts of elements. */
public record CountResult(int[] counts, int countsUpTo) {

  public static CountResult of(byte[] counts) {
    var numbers = IntStream.range(0, counts.length).map(i -> counts[i]).toArray();
    return new CountResult(numbers, Counting.MOST);
  }
}
