package io.github.bloomgate.http.stream;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.lines.ContentCoding;
import io.github.bloomgate.model.lines.ElementEncoding;
import io.github.bloomgate.model.lines.ElementLines;
import io.github.bloomgate.model.lines.LineFormat;
import io.github.bloomgate.model.lines.UnpackedInput;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.MediaType;
import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/** A body that is read while it arrives. */
public final class StreamBody {

  /** Lines are bytes, so other charsets are mistakes. */
  private static final Set<String> CHARSETS = Set.of("utf-8", "us-ascii");

  private StreamBody() {}

  /**
   * The lines of a body, decompressed according to its content coding.
   *
   * @param batchBytes returns the byte limit of the next batch, given the bytes of the last one
   * @throws BloomException UNSUPPORTED_FORMAT if type, charset or coding is unsupported
   */
  public static ElementLines lines(
      RoutingContext context,
      MediaType type,
      InputStream body,
      ElementEncoding encoding,
      IntUnaryOperator batchBytes) {
    var request = context.request();
    var format =
        LineFormat.of(type.getType() + "/" + type.getSubtype())
            .orElseThrow(() -> unsupported(request));
    var charset = type.getParameters().get(MediaType.CHARSET_PARAMETER);
    if (charset != null && !CHARSETS.contains(charset.toLowerCase(Locale.ROOT))) {
      throw unsupported(request);
    }
    var content = coding(request).decode(body);
    return new ElementLines(content, format, encoding, batchBytes, true);
  }

  private static BloomException unsupported(HttpServerRequest request) {
    return RequestErrors.unsupportedType(
        Optional.ofNullable(request.getHeader(HttpHeaders.CONTENT_TYPE)),
        List.of(LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE));
  }

  /**
   * The file in a body, decompressed according to its content coding or, if it names none, its
   * first bytes. A bitmap may begin with any bytes, so {@code identity} prevents a guess.
   *
   * @throws BloomException UNSUPPORTED_FORMAT if the coding is unsupported
   */
  public static InputStream file(RoutingContext context, InputStream body) {
    var request = context.request();
    var coding = coding(request);
    var isPlain =
        request.headers().contains(HttpHeaders.CONTENT_ENCODING, HttpHeaders.IDENTITY, true);
    return coding == ContentCoding.GZIP || isPlain
        ? coding.decode(body)
        : new UnpackedInput(body, true);
  }

  private static ContentCoding coding(HttpServerRequest request) {
    return ContentCoding.ofRequest(request.headers().getAll(HttpHeaders.CONTENT_ENCODING));
  }
}
