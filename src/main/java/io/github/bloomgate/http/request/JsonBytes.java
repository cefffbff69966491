package io.github.bloomgate.http.request;

import io.github.bloomgate.http.limits.HeldBody;
import io.github.bloomgate.http.problem.BodyMemory;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.lines.FileSignature;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;

/** The bytes of a whole body, in parts that are released during parsing. Not thread-safe. */
public final class JsonBytes {

  private static final int PART = 1 << 17;
  private static final int CHARS = 8192;

  private final ArrayDeque<ByteBuffer> parts = new ArrayDeque<>();
  private long length;

  private JsonBytes() {}

  /**
   * Reads a body to its end.
   *
   * @param memory taken for it; null without a body
   * @param length the most bytes, so that a short body takes a short buffer
   * @throws BloomException TOO_LARGE if it exceeds the limit; OVERLOADED if it is longer than
   *     expected and there is no memory for it
   * @throws IOException from the input
   */
  public static JsonBytes read(InputStream in, long limit, BodyMemory memory, long length)
      throws IOException {
    var body = new JsonBytes();
    var most = (int) Math.min(Math.min(limit, length) + 1, PART);
    for (var part = in.readNBytes(most); part.length > 0; part = in.readNBytes(PART)) {
      body.length += part.length;
      if (body.length > limit) {
        throw RequestErrors.bodyTooLong(limit);
      }
      if (memory != null && !memory.growTo(body.length)) {
        throw RequestErrors.overloaded();
      }
      body.parts.add(ByteBuffer.wrap(part));
      if (part.length < most) {
        break;
      }
    }
    return body;
  }

  public boolean isEmpty() {
    return parts.isEmpty();
  }

  public void requireUtf8() {
    var decoder = StandardCharsets.UTF_8.newDecoder();
    var chars = CharBuffer.allocate((int) Math.min(length, CHARS));
    var done = 0L;
    var rest = ByteBuffer.allocate(0);
    for (var part : parts) {
      var bytes = rest.hasRemaining() ? joined(rest, part) : part.duplicate();
      CoderResult result;
      do {
        chars.clear();
        result = decoder.decode(bytes, chars, done + bytes.limit() == length);
      } while (result.isOverflow());
      done += bytes.position();
      if (result.isError()) {
        throw notUtf8(done);
      }
      rest = bytes;
    }
    // The parser detects UTF-16 and UTF-32 by a zero byte among the first two.
    var first = parts.element();
    if (first.limit() > 1 && (first.get(0) == 0 || first.get(1) == 0)) {
      throw notUtf8(0);
    }
  }

  private static ByteBuffer joined(ByteBuffer rest, ByteBuffer part) {
    var length = rest.remaining() + part.remaining();
    return ByteBuffer.allocate(length).put(rest).put(part.duplicate()).flip();
  }

  @SuppressWarnings("ByteBufferBackingArray") // wrapped by this class
  private BloomException notUtf8(long place) {
    var first = parts.element();
    return RequestErrors.invalid(
        FileSignature.ofText(first.array(), first.limit())
            .map(
                other ->
                    "The body %s. Nothing was changed. %s"
                        .formatted(other.mistake(), other.remedy()))
            .orElseGet(
                () ->
                    "The body is not UTF-8, at byte %d. Nothing was changed; encode it as UTF-8, and elements that are not text as base64 or hex."
                        .formatted(place)));
  }

  public InputStream toStream() {
    return new HeldBody(parts, null);
  }
}
