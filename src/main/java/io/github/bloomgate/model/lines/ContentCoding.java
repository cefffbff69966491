package io.github.bloomgate.model.lines;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.RequestErrors;
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

  /**
   * The coding of a request.
   *
   * @throws BloomException UNSUPPORTED_FORMAT if it is unsupported or there are several
   */
  public static ContentCoding ofRequest(List<String> values) {
    return of(values)
        .orElseThrow(
            () ->
                BloomException.of(
                    ErrorCode.UNSUPPORTED_FORMAT,
                    "The Content-Encoding is '%s', but bodies must be uncompressed or gzip. Nothing was changed. With curl, send: -H 'Content-Encoding: gzip' --data-binary @FILE.gz."
                        .formatted(RequestErrors.shown(String.join(", ", values)))));
  }

  /** Decodes content. Reading fails if the content does not have this coding. */
  public InputStream decode(InputStream in) {
    return this == GZIP ? new Gunzip(in) : in;
  }
}
