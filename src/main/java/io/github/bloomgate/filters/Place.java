package io.github.bloomgate.filters;

import io.github.bloomgate.model.FilterName;
import java.util.Comparator;

/**
 * A place in a list of filters: behind this one.
 *
 * @param rank what it stands by, the smallest first; 0 in the order of names
 * @param name its name, by which those of the same rank stand
 */
public record Place(double rank, FilterName name) implements Comparable<Place> {

  private static final Comparator<Place> ORDER =
      Comparator.comparingDouble(Place::rank).thenComparing(place -> place.name().value());

  /** The place behind a name, in the order of names. */
  public static Place of(FilterName name) {
    return new Place(0, name);
  }

  @Override
  public int compareTo(Place other) {
    return ORDER.compare(this, other);
  }
}
