package io.github.bloomgate.follow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.follow.FrameWriter.Plane;
import io.github.bloomgate.support.GoldenStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The frames of the golden streams, which the readers understand, are those of the service. */
class FrameWriterTest {

  private static final int UNKNOWN = 99;

  @Test
  void framesAreThoseOfTheGoldenStreams() throws Exception {
    var types = new TreeSet<Integer>();
    for (var golden : GoldenStream.values()) {
      var in = ByteBuffer.wrap(Files.readAllBytes(golden.file()));
      while (in.hasRemaining()) {
        int type = in.get(in.position());
        var frame = new byte[5 + in.getInt(in.position() + 1)];
        in.get(frame);
        if (type != UNKNOWN) {
          assertArrayEquals(frame, written(type, ByteBuffer.wrap(frame).position(5).slice()));
          types.add(type);
        }
      }
    }
    assertTrue(types.containsAll(Set.of(1, 2, 3, 4, 5)), types::toString);
  }

  private static byte[] written(int type, ByteBuffer payload) {
    var writer = new FrameWriter();
    switch (type) {
      case 1 -> writer.plan(text(payload));
      case 2 -> {
        var plane = plane(payload);
        var offset = payload.getInt();
        var content = rest(payload);
        writer.fill(plane, offset, content, content.length);
      }
      case 3 -> writer.add(patch(plane(payload), payload));
      case 4 -> writer.add(FrameWriter.empty(plane(payload)));
      case 5 -> {
        var clock = payload.getLong();
        var age = payload.getInt();
        var since = payload.getLong();
        writer.at(clock, age, since, new Resume(payload.getLong(), payload.getLong()));
      }
      case 6 -> writer.add(FrameWriter.end(text(payload)));
      default -> throw new AssertionError("unknown type " + type);
    }
    return writer.bytes();
  }

  private static Plane plane(ByteBuffer payload) {
    var segment = payload.getInt();
    var plane = payload.getShort();
    var mark = new byte[Long.BYTES];
    payload.get(mark);
    return new Plane(segment, plane, mark);
  }

  private static byte[] patch(Plane plane, ByteBuffer payload) {
    var offsets = new int[payload.remaining() / Integer.BYTES];
    var values = new byte[offsets.length];
    for (var i = 0; i < offsets.length; i++) {
      var entry = payload.getInt();
      offsets[i] = entry >>> 8;
      values[i] = (byte) entry;
    }
    return FrameWriter.patch(plane, offsets, values);
  }

  private static byte[] rest(ByteBuffer payload) {
    var bytes = new byte[payload.remaining()];
    payload.get(bytes);
    return bytes;
  }

  private static String text(ByteBuffer payload) {
    return new String(rest(payload), StandardCharsets.UTF_8);
  }
}
