package io.github.bloomgate.model;

/**
 * The content of a filter. It changes when the filter is cleared, replaced or rebuilt.
 *
 * @param keyName the filter's name when the content was created, the hash tag of its segment keys
 * @param incarnation 16 random hexadecimal digits, unique to this content
 * @param number counts the generations of a filter, from 1
 */
public record Generation(FilterName keyName, String incarnation, long number) {

  /** Whether it is the filter's initial content. */
  public boolean isFirst() {
    return number == 1;
  }
}
