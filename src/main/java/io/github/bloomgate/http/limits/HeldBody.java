package io.github.bloomgate.http.limits;

import io.github.bloomgate.http.problem.BodyMemory;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.lines.FileSignature;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/** A body that has arrived as a whole. Releases its bytes when all have been read. */
public final class HeldBody extends ByteArrayInputStream {

  private static final int PART = 1 << 17;
  private static final int CHARS = 8192;
  private static final byte[] NOTHING = {};

  private final BodyMemory memory;

  HeldBody(byte[] content, int length, BodyMemory memory) {
    super(content, 0, length);
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
    var unpacked = new ByteArrayOutputStream();
    for (var part = content.readNBytes(PART); part.length > 0; part = content.readNBytes(PART)) {
      var length = (long) unpacked.size() + part.length;
      if (length > limit) {
        throw RequestErrors.bodyTooLong(limit);
      }
      if (!memory.growTo(length)) {
        throw RequestErrors.overloaded();
      }
      unpacked.writeBytes(part);
    }
    return new HeldBody(unpacked.toByteArray(), unpacked.size(), memory);
  }

  public boolean isEmpty() {
    return count == 0;
  }

  /**
   * Checks the encoding.
   *
   * @throws BloomException INVALID_REQUEST
   */
  public void requireUtf8() {
    var bytes = ByteBuffer.wrap(buf, 0, count);
    var decoder = StandardCharsets.UTF_8.newDecoder();
    var chars = CharBuffer.allocate(Math.min(count, CHARS));
    CoderResult result;
    do {
      chars.clear();
      result = decoder.decode(bytes, chars, true);
    } while (result.isOverflow());
    if (result.isError()) {
      throw notUtf8(bytes.position());
    }
    // The parser detects UTF-16 and UTF-32 by a zero byte among the first two.
    if (count > 1 && (buf[0] == 0 || buf[1] == 0)) {
      throw notUtf8(0);
    }
  }

  private BloomException notUtf8(int place) {
    return RequestErrors.invalid(
        FileSignature.ofText(buf, count)
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
  public synchronized int read(byte[] bytes, int start, int length) {
    var read = super.read(bytes, start, length);
    if (read < 0) {
      buf = NOTHING;
    }
    return read;
  }
}
