package io.github.bloomgate.api;

import io.github.bloomgate.error.BloomException;
import io.quarkus.runtime.configuration.MemorySize;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.Provider;
import jakarta.ws.rs.ext.ReaderInterceptor;
import jakarta.ws.rs.ext.ReaderInterceptorContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Takes in a JSON body before it is parsed: unzips it, within the limit, and refuses what is not
 * UTF-8. The parser reads malformed UTF-8 as other characters, and so one element as another.
 */
@Provider
public class JsonBody implements ReaderInterceptor {

  private final long limit;

  JsonBody(@ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize limit) {
    this.limit = limit.asLongValue();
  }

  @Override
  public Object aroundReadFrom(ReaderInterceptorContext context) throws IOException {
    if (!MediaType.APPLICATION_JSON_TYPE.isCompatible(context.getMediaType())) {
      return context.proceed();
    }
    requireUtf8(context.getMediaType());
    var body = read(context);
    if (body.length == 0) {
      return null;
    }
    requireUtf8(body);
    context.setInputStream(new ByteArrayInputStream(body));
    return context.proceed();
  }

  private byte[] read(ReaderInterceptorContext context) {
    byte[] body;
    try {
      body = unzipped(context).readNBytes((int) Math.min(limit + 1, Integer.MAX_VALUE));
    } catch (IOException incomplete) {
      throw BloomException.invalidRequest(
          "The body is cut short, or is not what its Content-Encoding says. Nothing was changed;"
              + " repeat the request.");
    }
    if (body.length > limit) {
      throw BloomException.tooLarge(
          "The body has more than %d bytes, which is the limit. Send fewer elements in one request."
              .formatted(limit));
    }
    return body;
  }

  private static InputStream unzipped(ReaderInterceptorContext context) throws IOException {
    var coding = context.getHeaders().getFirst(HttpHeaders.CONTENT_ENCODING);
    var body = context.getInputStream();
    return switch (coding == null ? "identity" : coding.toLowerCase(Locale.ROOT)) {
      case "identity" -> body;
      case "gzip", "x-gzip" -> new GZIPInputStream(body);
      default -> throw BloomException.unsupportedFormat();
    };
  }

  private static void requireUtf8(MediaType type) {
    var charset = type.getParameters().get(MediaType.CHARSET_PARAMETER);
    if (charset != null && !charset.equalsIgnoreCase(StandardCharsets.UTF_8.name())) {
      throw BloomException.unsupportedFormat();
    }
  }

  private static void requireUtf8(byte[] body) {
    var decoder = StandardCharsets.UTF_8.newDecoder();
    var bytes = ByteBuffer.wrap(body);
    var chars = CharBuffer.allocate(8192);
    CoderResult result;
    do {
      chars.clear();
      result = decoder.decode(bytes, chars, true);
    } while (result.isOverflow());
    // A zero byte among the first two is how the parser tells UTF-16 and UTF-32.
    var isWide = body.length > 1 && (body[0] == 0 || body[1] == 0);
    if (result.isError() || isWide) {
      throw BloomException.invalidRequest(
          "The body is not UTF-8, at byte %d. Nothing was changed; encode it as UTF-8, and elements that are not text as base64 or hex."
              .formatted(isWide ? 0 : bytes.position()));
    }
  }
}
