package io.github.bloomgate.lines;

import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The content coding of a message: none or gzip. */
public enum ContentCoding {
  IDENTITY,
  GZIP;

  /**
   * The coding of a message; empty if it is unsupported or there are several.
   *
   * @param values of the {@code Content-Encoding} headers
   */
  public static Optional<ContentCoding> of(List<String> values) {
    var codings =
        Arrays.stream(String.join(",", values).toLowerCase(Locale.ROOT).split(","))
            .map(String::strip)
            .filter(name -> !name.isEmpty() && !name.equals("identity"))
            .toList();
    if (codings.isEmpty()) {
      return Optional.of(IDENTITY);
    }
    return codings.equals(List.of("gzip")) || codings.equals(List.of("x-gzip"))
        ? Optional.of(GZIP)
        : Optional.empty();
  }

  /** Decodes content. Reading fails if the content does not have this coding. */
  public InputStream decode(InputStream in) {
    return this == GZIP ? new Gunzip(in) : in;
  }
}
