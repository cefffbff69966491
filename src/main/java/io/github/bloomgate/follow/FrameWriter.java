package io.github.bloomgate.follow;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes frames, up to a limit that only the first frame of a piece may exceed. */
public final class FrameWriter {

  /** The most bytes of a piece without an {@code AT}, if its first frame is not longer. */
  static final int MOST_BYTES = (1 << 13) - 64;

  private static final int HEAD_BYTES = 1 + Integer.BYTES;

  /** Segment, plane and mark of a frame with content. */
  private static final int CONTENT_HEAD_BYTES = Integer.BYTES + Short.BYTES + Long.BYTES;

  private static final int FILL_HEAD_BYTES = HEAD_BYTES + CONTENT_HEAD_BYTES + Integer.BYTES;

  private static final int AT_BYTES = 2 * Long.BYTES + Integer.BYTES + Resume.BYTES;

  /** The most entries of a patch. */
  static final int MOST_ENTRIES =
      (MOST_BYTES / 2 - HEAD_BYTES - CONTENT_HEAD_BYTES) / Integer.BYTES;

  /** The least bytes of a plane worth a frame. */
  private static final int LEAST_FILL = 256;

  private enum Type {
    PLAN(1),
    FILL(2),
    PATCH(3),
    EMPTY(4),
    AT(5),
    END(6);

    private final int code;

    Type(int code) {
      this.code = code;
    }
  }

  /**
   * A plane of a segment.
   *
   * @param segment its index among the segments of all layers
   * @param mark the mark of the segment with this content
   */
  record Plane(int segment, int plane, byte[] mark) {}

  private ByteBuffer frames = ByteBuffer.allocate(0);

  boolean isEmpty() {
    return frames.position() == 0;
  }

  byte[] bytes() {
    return Arrays.copyOf(frames.array(), frames.position());
  }

  /** The end of a stream. */
  public static byte[] end(String json) {
    var writer = new FrameWriter();
    writer.json(Type.END, json);
    return writer.bytes();
  }

  void plan(String json) {
    json(Type.PLAN, json);
  }

  private void json(Type type, String json) {
    var bytes = json.getBytes(StandardCharsets.UTF_8);
    begin(type, bytes.length).put(bytes);
  }

  /** The most bytes of a plane that fit; 0 if it is not worth a frame. */
  int roomToFill() {
    var room = MOST_BYTES - frames.position() - FILL_HEAD_BYTES;
    return room < LEAST_FILL ? 0 : room;
  }

  void fill(Plane plane, int offset, byte[] content, int length) {
    begin(Type.FILL, CONTENT_HEAD_BYTES + Integer.BYTES + length);
    put(plane).putInt(offset).put(content, 0, length);
  }

  /**
   * A frame with the new values of some bytes.
   *
   * @param offsets up to {@link #MOST_ENTRIES}
   */
  static byte[] patch(Plane plane, int[] offsets, byte[] values) {
    var writer = new FrameWriter();
    writer.begin(Type.PATCH, CONTENT_HEAD_BYTES + Integer.BYTES * offsets.length);
    var frame = writer.put(plane);
    for (var i = 0; i < offsets.length; i++) {
      frame.putInt(offsets[i] << Byte.SIZE | Byte.toUnsignedInt(values[i]));
    }
    return writer.bytes();
  }

  static byte[] empty(Plane plane) {
    var writer = new FrameWriter();
    writer.begin(Type.EMPTY, CONTENT_HEAD_BYTES);
    writer.put(plane);
    return writer.bytes();
  }

  /** Whether a frame fits. */
  boolean fits(byte[] frame) {
    return isEmpty() || frames.position() + frame.length <= MOST_BYTES;
  }

  void add(byte[] frame) {
    reserve(frame.length).put(frame);
  }

  /**
   * Marks everything so far as complete.
   *
   * @param sinceMillis the time since the stream began
   */
  void at(long redisMillis, long ageMillis, long sinceMillis, Resume resume) {
    begin(Type.AT, AT_BYTES)
        .putLong(redisMillis)
        .putInt((int) Math.min(ageMillis, Integer.MAX_VALUE))
        .putLong(sinceMillis)
        .putLong(resume.content())
        .putLong(resume.place());
  }

  private ByteBuffer put(Plane plane) {
    return frames.putInt(plane.segment).putShort((short) plane.plane).put(plane.mark);
  }

  private ByteBuffer begin(Type type, int length) {
    return reserve(HEAD_BYTES + length).put((byte) type.code).putInt(length);
  }

  private ByteBuffer reserve(int more) {
    var needed = frames.position() + more;
    if (needed > frames.capacity()) {
      var larger = Math.max(needed, Math.min(MOST_BYTES, 2 * frames.capacity()));
      frames = ByteBuffer.wrap(Arrays.copyOf(frames.array(), larger)).position(frames.position());
    }
    return frames;
  }
}
