package io.github.bloomgate.http.connection;

import io.github.bloomgate.lines.FileSignature;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;

/**
 * A body that has arrived as a whole. Releases each of its parts after it has been read, because
 * the arrays of its elements grow at the same time, and {@link BodyMemory} is for both. Not
 * thread-safe.
 */
public final class HeldBody extends InputStream {

  private static final int PART = 1 << 17;
  private static final int CHARS = 8192;

  /** With arrays, ready to be read. */
  private final ArrayDeque<ByteBuffer> parts;

  private final BodyMemory memory;

  HeldBody(ArrayDeque<ByteBuffer> parts, BodyMemory memory) {
    this.parts = parts;
    this.memory = memory;
  }

  /**
   * The decompressed body.
   *
   * @param content decompresses this body
   * @throws BloomException TOO_LARGE if it exceeds the limit; OVERLOADED if it is longer than
   *     expected and there is no memory for it
   * @throws IOException from the input
   */
  public HeldBody unpacked(InputStream content, long limit) throws IOException {
    var unpacked = new ArrayDeque<ByteBuffer>();
    var length = 0L;
    for (var part = content.readNBytes(PART); part.length > 0; part = content.readNBytes(PART)) {
      length += part.length;
      if (length > limit) {
        throw RequestErrors.bodyTooLong(limit);
      }
      if (!memory.growTo(length)) {
        throw RequestErrors.overloaded();
      }
      unpacked.add(ByteBuffer.wrap(part));
    }
    return new HeldBody(unpacked, memory);
  }

  public boolean isEmpty() {
    return parts.isEmpty();
  }

  /**
   * Checks the encoding of a body that is not empty.
   *
   * @throws BloomException INVALID_REQUEST
   */
  public void requireUtf8() {
    var length = parts.stream().mapToLong(ByteBuffer::remaining).sum();
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

  @SuppressWarnings("ByteBufferBackingArray") // the parts have arrays
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

  @Override
  public int read() {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  @Override
  public int read(byte[] bytes, int start, int length) {
    if (parts.isEmpty()) {
      return -1;
    }
    var part = parts.element();
    var count = Math.min(length, part.remaining());
    part.get(bytes, start, count);
    if (!part.hasRemaining()) {
      parts.remove();
    }
    return count;
  }

  @Override
  public int available() {
    return parts.isEmpty() ? 0 : parts.element().remaining();
  }
}
