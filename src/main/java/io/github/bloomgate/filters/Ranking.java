package io.github.bloomgate.filters;

import io.github.bloomgate.model.FilterName;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Filters by what their figures were when they were read, in any order. Of each only the name and a
 * number for each order are kept. Thread-safe.
 */
final class Ranking {

  /** What a filter takes, more than that while it is read. */
  static final long BYTES_EACH = 240;

  private final Instant readAt;
  private final long bytes;
  private final List<FilterName> names;
  private final Map<FilterOrder, double[]> ranks = new EnumMap<>(FilterOrder.class);

  /** The indexes of the names in an order, once that was asked for. Guarded by itself. */
  private final Map<FilterOrder, int[]> sorted = new EnumMap<>(FilterOrder.class);

  /**
   * Ranks filters.
   *
   * @param readAt when the reading of their figures began
   * @param bytes what was taken of the memory for this
   * @param ranked in the order of their names
   */
  Ranking(Instant readAt, long bytes, List<Ranked> ranked) {
    this.readAt = readAt;
    this.bytes = bytes;
    this.names = ranked.stream().map(Ranked::name).toList();
    var orders = FilterOrder.values();
    for (var i = 0; i < orders.length; i++) {
      var place = i;
      ranks.put(orders[i], ranked.stream().mapToDouble(one -> one.ranks[place]).toArray());
    }
  }

  /** A filter, and its rank in each order. */
  record Ranked(FilterName name, double[] ranks) {
    static Ranked of(FilterPage.Entry entry) {
      return new Ranked(
          entry.name(),
          Arrays.stream(FilterOrder.values()).mapToDouble(order -> order.rank(entry)).toArray());
    }
  }

  /** When the reading of the figures began. */
  Instant readAt() {
    return readAt;
  }

  /** What was taken of the memory for it. */
  long bytes() {
    return bytes;
  }

  /** The next places in an order, as many as asked for or all that are left. */
  List<Place> page(FilterOrder order, Optional<Place> after, int limit) {
    var indexes = sorted(order);
    var first = after.map(place -> behind(place, order, indexes)).orElse(0);
    return Arrays.stream(indexes, first, Math.min(indexes.length, first + limit))
        .mapToObj(index -> place(order, index))
        .toList();
  }

  private int behind(Place place, FilterOrder order, int[] indexes) {
    var low = 0;
    var high = indexes.length;
    while (low < high) {
      var middle = (low + high) >>> 1;
      if (place(order, indexes[middle]).compareTo(place) > 0) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private Place place(FilterOrder order, int index) {
    return new Place(ranks.get(order)[index], names.get(index));
  }

  private int[] sorted(FilterOrder order) {
    var keys = ranks.get(order);
    synchronized (sorted) {
      // Of the same rank they stay in the order of their names.
      return sorted.computeIfAbsent(
          order,
          asked ->
              IntStream.range(0, keys.length)
                  .boxed()
                  .sorted(Comparator.comparingDouble(index -> keys[index]))
                  .mapToInt(Integer::intValue)
                  .toArray());
    }
  }
}
