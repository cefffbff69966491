package io.github.bloomgate.model.lines;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How a message packs its content for transfer: not at all, or in gzip. */
public enum ContentCoding {
  IDENTITY,
  GZIP;

  /**
   * The coding of a message; empty if it is another one, or more than one.
   *
   * @param values those of its {@code Content-Encoding} headers
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

  /**
   * The coding of a request.
   *
   * @throws BloomException UNSUPPORTED_FORMAT if it is another one, or more than one
   */
  public static ContentCoding ofRequest(List<String> values) {
    return of(values).orElseThrow(() -> RequestErrors.unsupportedCoding(String.join(", ", values)));
  }

  /** Content without its coding. Reading it fails if it is not packed as the coding says. */
  public InputStream decode(InputStream in) {
    return this == GZIP ? new Gunzip(in) : in;
  }
}
