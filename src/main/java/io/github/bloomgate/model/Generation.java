package io.github.bloomgate.model;

/**
 * The content of a filter. It changes when the filter is cleared, replaced or rebuilt.
 *
 * @param home the name that the filter had when the content was made, which the keys of its
 *     segments have as their hash tag
 * @param incarnation 16 hexadecimal digits, drawn at random for each content
 * @param number counts the contents of a filter, from 1
 */
public record Generation(FilterName home, String incarnation, long number) {

  /** Whether it is the content that the filter was created with. */
  public boolean isFirst() {
    return number == 1;
  }
}
