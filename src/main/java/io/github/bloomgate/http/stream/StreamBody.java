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
      RoutingContext context,
      MediaType type,
      InputStream body,
      ElementEncoding encoding,
      IntUnaryOperator batchBytes) {
    var request = context.request();
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
    var content = coding(request).decode(new ReceivedBody(body, context));
    return new ElementLines(content, format, encoding, batchBytes, true);
  }

  private static BloomException unsupported(HttpServerRequest request) {
    return RequestErrors.unsupportedType(
        Optional.ofNullable(request.getHeader(HttpHeaders.CONTENT_TYPE)),
        List.of(LineFormat.TEXT_TYPE, LineFormat.NDJSON_TYPE));
  }

  /**
   * The file that a body is, unzipped if its coding or its first bytes say so. Its client sends
   * from the first read on.
   *
   * @throws BloomException UNSUPPORTED_FORMAT if the coding is none that is read
   */
  public static InputStream file(RoutingContext context, InputStream body) {
    var coding = coding(context.request());
    var received = new ReceivedBody(body, context);
    return coding == ContentCoding.IDENTITY
        ? new UnpackedInput(received, true)
        : coding.decode(received);
  }

  private static ContentCoding coding(HttpServerRequest request) {
    return ContentCoding.ofRequest(request.headers().getAll(HttpHeaders.CONTENT_ENCODING));
  }
}
