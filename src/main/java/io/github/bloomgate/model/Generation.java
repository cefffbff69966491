package io.github.bloomgate.model;

import java.util.UUID;

/**
 * Which content a segment holds: the guard that every script compares.
 *
 * <p>Bit positions stay valid as long as the incarnation stays: it is drawn at random when a filter
 * is created, so that a filter deleted and created again is never taken for the old one. The number
 * grows by one whenever the content is replaced.
 *
 * @param incarnation 16 hexadecimal digits, part of the keys of all segments but the first
 * @param number from 1
 */
public record Generation(String incarnation, long number) {

  /** The first generation of a new filter. */
  public static Generation first() {
    return new Generation("%016x".formatted(UUID.randomUUID().getLeastSignificantBits()), 1);
  }

  /** Whether it is the content a filter came into being with. */
  public boolean isFirst() {
    return number == 1;
  }

  /** The generation that follows when the content is replaced and the positions stay valid. */
  public Generation next() {
    return new Generation(incarnation, number + 1);
  }

  /** The generation that follows when the positions become others. */
  public Generation successor() {
    return new Generation(first().incarnation, number + 1);
  }

  /**
   * Reads the stored form.
   *
   * @throws IllegalArgumentException if it is not one
   */
  public static Generation parse(String stored) {
    var dot = stored.indexOf('.');
    if (dot != 16) {
      throw new IllegalArgumentException("not a generation");
    }
    return new Generation(stored.substring(0, dot), Long.parseLong(stored.substring(dot + 1)));
  }

  /** The stored form, {@code incarnation.number}. */
  @Override
  public String toString() {
    return incarnation + "." + number;
  }
}
