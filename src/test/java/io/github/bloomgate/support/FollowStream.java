package io.github.bloomgate.support;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * Writes the frames that {@code docs/follow.md} defines. Shares no code with the service or with
 * the readers in {@code examples/edge}.
 */
public final class FollowStream {

  public static final int PLAN = 1;
  public static final int FILL = 2;
  public static final int PATCH = 3;
  public static final int EMPTY = 4;
  public static final int AT = 5;
  public static final int END = 6;

  private static final int MARKED_BYTES = 14;
  private static final int AT_BYTES = 36;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** Appends any frame, also one that is not allowed. */
  public FollowStream frame(int type, byte[] payload) {
    header(type, payload.length);
    out.writeBytes(payload);
    return this;
  }

  /** Appends the beginning of a frame. */
  public FollowStream header(int type, int length) {
    out.write(type);
    for (var shift = 24; shift >= 0; shift -= Byte.SIZE) {
      out.write(length >> shift);
    }
    return this;
  }

  public FollowStream plan(String json) {
    return frame(PLAN, json.getBytes(UTF_8));
  }

  /** Appends the whole plane in frames of some bytes each. */
  public FollowStream fill(
      FollowedFilter filter, int segment, int plane, long mark, int bytesOfPiece) {
    var bytes = filter.plane(segment, plane);
    for (var offset = 0; offset < bytes.length; offset += bytesOfPiece) {
      var length = Math.min(bytesOfPiece, bytes.length - offset);
      var payload = new byte[MARKED_BYTES + Integer.BYTES + length];
      marked(payload, segment, plane, mark).putInt(offset).put(bytes, offset, length);
      frame(FILL, payload);
    }
    filter.sent(segment, plane);
    return this;
  }

  /** Appends one frame with what has changed in a plane since its last frame, maybe nothing. */
  public FollowStream patch(FollowedFilter filter, int segment, int plane, long mark) {
    var entries = filter.changes(segment, plane);
    var payload = new byte[MARKED_BYTES + entries.size() * Integer.BYTES];
    var rest = marked(payload, segment, plane, mark);
    entries.forEach(rest::putInt);
    filter.sent(segment, plane);
    return frame(PATCH, payload);
  }

  public FollowStream empty(FollowedFilter filter, int segment, int plane, long mark) {
    filter.empty(segment, plane);
    filter.sent(segment, plane);
    var payload = new byte[MARKED_BYTES];
    marked(payload, segment, plane, mark);
    return frame(EMPTY, payload);
  }

  /**
   * Appends an AT.
   *
   * @param age when sent, in milliseconds
   * @param stream milliseconds since the stream began
   * @param resume 32 hexadecimal digits
   */
  public FollowStream at(int age, long stream, String resume) {
    var payload = new byte[AT_BYTES];
    ByteBuffer.wrap(payload)
        .putLong(1_790_000_000_000L)
        .putInt(age)
        .putLong(stream)
        .put(HexFormat.of().parseHex(resume));
    return frame(AT, payload);
  }

  public FollowStream end(int retryAfterSeconds) {
    var json =
        """
        {"type":"urn:bloomgate:problem:filter-not-found","title":"The filter does not exist",\
        "status":404,"detail":"The filter 'golden' does not exist.","code":"FILTER_NOT_FOUND",\
        "retryAfterSeconds":%d}"""
            .formatted(retryAfterSeconds);
    return frame(END, json.getBytes(UTF_8));
  }

  /** Appends an END without an error. */
  public FollowStream end() {
    return frame(END, "{\"retryAfterSeconds\":0}".getBytes(UTF_8));
  }

  public byte[] bytes() {
    return out.toByteArray();
  }

  /** Writes the beginning of a content frame, and returns the buffer behind it. */
  private static ByteBuffer marked(byte[] payload, int segment, int plane, long mark) {
    return ByteBuffer.wrap(payload).putInt(segment).putShort((short) plane).putLong(mark);
  }
}
