package io.github.bloomgate.model;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/**
 * Identifies the content of one generation. Its segments have it in their keys, and keep it when
 * the filter is renamed.
 *
 * @param keyName the name of the filter when the generation was created
 * @param incarnation 16 hexadecimal digits, random for each generation
 */
public record ContentId(FilterName keyName, String incarnation) {

  private static final Pattern INCARNATION = Pattern.compile("[0-9a-f]{16}");

  /** 16 random hexadecimal digits, for an incarnation or the version of a state. */
  public static String newId() {
    return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
  }

  public ContentId {
    if (!INCARNATION.matcher(incarnation).matches()) {
      throw new IllegalArgumentException("not 16 hexadecimal digits: " + incarnation);
    }
  }
}
