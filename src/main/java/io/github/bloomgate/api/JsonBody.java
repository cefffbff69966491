package io.github.bloomgate.api;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.bloomgate.error.RequestErrors;
import io.github.bloomgate.error.StoreErrors;
import io.quarkus.resteasy.reactive.jackson.runtime.serialisers.ServerJacksonMessageBodyReader;
import io.quarkus.runtime.configuration.MemorySize;
import jakarta.enterprise.inject.Instance;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.ext.Provider;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.resteasy.reactive.server.spi.ServerRequestContext;

/**
 * Takes in a JSON body before it is parsed: unzips it, within the limit, and refuses what is not
 * UTF-8. The parser reads malformed UTF-8 as other characters, and so one element as another.
 *
 * <p>It stands before the framework's own reader, and is no interceptor: for one the annotations of
 * the method are parsed at each request, which was an eighth of the time of an add.
 */
@Provider
@Consumes(MediaType.APPLICATION_JSON)
public class JsonBody extends ServerJacksonMessageBodyReader {

  /** Bodies up to this size are taken without counting. */
  private static final int SMALL = 1 << 17;

  /**
   * What reading and parsing a byte of a body takes, at most: itself, copies of it, its elements.
   */
  private static final int COPIES = 4;

  private static final int PART_OF_HEAP = 4;

  private final long limit;
  private final long room = Runtime.getRuntime().maxMemory() / PART_OF_HEAP;
  private final AtomicLong taken = new AtomicLong();

  JsonBody(
      Instance<ObjectMapper> mapper,
      @ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize limit) {
    super(mapper);
    this.limit = limit.asLongValue();
  }

  @Override
  public Object readFrom(
      Class<Object> type, Type genericType, MediaType mediaType, ServerRequestContext context)
      throws IOException {
    requireUtf8(mediaType);
    var body = new Body();
    try {
      var bytes = body.read(context);
      if (bytes.length == 0) {
        return null;
      }
      requireUtf8(bytes);
      return super.readFrom(
          type, genericType, null, mediaType, null, new ByteArrayInputStream(bytes));
    } finally {
      taken.addAndGet(-body.room);
    }
  }

  /** One body, and how much of the memory for large ones it takes until it is parsed. */
  private final class Body {
    private long room;

    private byte[] read(ServerRequestContext context) {
      try {
        var in = unzipped(context);
        var start = in.readNBytes((int) Math.min(limit + 1, SMALL));
        return start.length < SMALL ? bounded(start) : readLarge(in, start);
      } catch (IOException incomplete) {
        throw RequestErrors.invalid(
            "The body is cut short, or is not what its Content-Encoding says. Nothing was changed;"
                + " repeat the request.");
      }
    }

    private byte[] readLarge(InputStream in, byte[] start) throws IOException {
      var bytes = new ByteArrayOutputStream(2 * SMALL);
      for (var part = start; part.length > 0; part = in.readNBytes(SMALL)) {
        take(part.length);
        bytes.writeBytes(part);
        if (bytes.size() > limit) {
          break;
        }
      }
      return bounded(bytes.toByteArray());
    }

    private void take(int length) {
      room += (long) COPIES * length;
      var all = taken.addAndGet((long) COPIES * length);
      // One alone is always read: its own limit bounds it.
      if (all > JsonBody.this.room && all > room) {
        throw StoreErrors.unavailable(
            "Too many large bodies are being read at once. Nothing was changed. Repeat the request"
                + " later, or send fewer elements in one.",
            null);
      }
    }

    private byte[] bounded(byte[] body) {
      if (body.length > limit) {
        throw RequestErrors.tooLarge(
            "The body has more than %d bytes, which is the limit. Send fewer elements in one request."
                .formatted(limit));
      }
      return body;
    }
  }

  private static InputStream unzipped(ServerRequestContext context) throws IOException {
    var coding = context.getRequestHeaders().getHeaderString(HttpHeaders.CONTENT_ENCODING);
    var body = context.getInputStream();
    return switch (coding == null ? "identity" : coding.toLowerCase(Locale.ROOT)) {
      case "identity" -> body;
      case "gzip", "x-gzip" -> new GZIPInputStream(body);
      default -> throw RequestErrors.unsupportedFormat();
    };
  }

  private static void requireUtf8(MediaType type) {
    var charset = type.getParameters().get(MediaType.CHARSET_PARAMETER);
    if (charset != null && !charset.equalsIgnoreCase(StandardCharsets.UTF_8.name())) {
      throw RequestErrors.unsupportedFormat();
    }
  }

  private static void requireUtf8(byte[] body) {
    var decoder = StandardCharsets.UTF_8.newDecoder();
    var bytes = ByteBuffer.wrap(body);
    var chars = CharBuffer.allocate(Math.min(body.length, 8192));
    CoderResult result;
    do {
      chars.clear();
      result = decoder.decode(bytes, chars, true);
    } while (result.isOverflow());
    // A zero byte among the first two is how the parser tells UTF-16 and UTF-32.
    var isWide = body.length > 1 && (body[0] == 0 || body[1] == 0);
    if (result.isError() || isWide) {
      throw RequestErrors.invalid(
          "The body is not UTF-8, at byte %d. Nothing was changed; encode it as UTF-8, and elements that are not text as base64 or hex."
              .formatted(isWide ? 0 : bytes.position()));
    }
  }
}
