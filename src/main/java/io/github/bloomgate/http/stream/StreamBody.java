package io.github.bloomgate.http.stream;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.lines.ElementEncoding;
import io.github.bloomgate.model.lines.ElementLines;
import io.github.bloomgate.model.lines.Gunzip;
import io.github.bloomgate.model.lines.LineFormat;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.core.MediaType;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/** The body of a request that is read while it arrives. */
public final class StreamBody {

  /** Lines are bytes; a charset that has other bytes for ASCII, or for UTF-8 text, is a mistake. */
  private static final Set<String> CHARSETS = Set.of("utf-8", "us-ascii");

  private StreamBody() {}

  /**
   * The lines of a body, unzipped if its coding says so.
   *
   * @param type null if the request has none
   * @param batchBytes how many bytes of lines a batch may have, told how many the last one had
   * @throws BloomException UNSUPPORTED_FORMAT if type, charset or coding is none that is read
   */
  public static ElementLines lines(
      HttpServerRequest request,
      MediaType type,
      InputStream body,
      ElementEncoding encoding,
      IntUnaryOperator batchBytes) {
    if (type == null) {
      throw unsupported(request);
    }
    var format =
        LineFormat.of(type.getType() + "/" + type.getSubtype())
            .orElseThrow(() -> unsupported(request));
    var charset = type.getParameters().get(MediaType.CHARSET_PARAMETER);
    if (charset != null && !CHARSETS.contains(charset.toLowerCase(Locale.ROOT))) {
      throw unsupported(request);
    }
    return new ElementLines(unzipped(request, body), format, encoding, batchBytes, true);
  }

  private static BloomException unsupported(HttpServerRequest request) {
    return RequestErrors.unsupportedType(
        Optional.ofNullable(request.getHeader(HttpHeaders.CONTENT_TYPE)),
        List.of(LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE));
  }

  /**
   * A body, unzipped if its coding says so.
   *
   * @throws BloomException UNSUPPORTED_FORMAT if the coding is none that is read
   */
  public static InputStream unzipped(HttpServerRequest request, InputStream body) {
    var codings = request.headers().getAll(HttpHeaders.CONTENT_ENCODING);
    var coding = String.join(",", codings);
    return switch (coding.toLowerCase(Locale.ROOT)) {
      case "", "identity" -> body;
      case "gzip", "x-gzip" -> new Gunzip(body);
      default -> throw RequestErrors.unsupportedCoding(coding);
    };
  }
}
