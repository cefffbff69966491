package io.github.bloomgate.follow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.model.Layer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * A reader of streams as docs/follow.md defines them, which checks what it gets. It uses frames
 * before their AT, so it must not be asked between two of them.
 */
public final class BitsFollower {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MOST = 1 << 16;

  /** A plane of a segment. */
  public record PlaneId(int segment, int plane) {}

  /** The planes of one content, and the marks of its segments. */
  private static final class Content {
    private final String incarnation;
    private JsonNode plan;
    private final Map<PlaneId, byte[]> planes = new HashMap<>();
    private final Map<Integer, byte[]> marks = new HashMap<>();
    private final Map<Integer, byte[]> incomplete = new HashMap<>();

    private Content(String incarnation) {
      this.incarnation = incarnation;
    }
  }

  /** The content that answers, and the one that arrives, which may be the same. */
  private Content current;

  private Content arriving;
  private long begunNanos;
  private long asOfNanos;
  private long redisMillis;
  private Optional<Resume> resume = Optional.empty();
  private Optional<JsonNode> end = Optional.empty();

  /** Whether the stream has had content frames, but no AT. */
  private boolean hasContent;

  private boolean hasAt;
  private int ats;

  /** The number of content frames of each segment so far. */
  private final Map<Integer, Integer> contents = new HashMap<>();

  /** The number of AT frames so far. */
  public int ats() {
    return ats;
  }

  long asOfNanos() {
    return asOfNanos;
  }

  long redisMillis() {
    return redisMillis;
  }

  public Optional<JsonNode> end() {
    return end;
  }

  /** The number of content frames so far. */
  public int contents() {
    return contents.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** The number of content frames of a segment so far. */
  int contentsOf(int segment) {
    return contents.getOrDefault(segment, 0);
  }

  public Optional<String> incarnation() {
    return Optional.ofNullable(current).map(content -> content.incarnation);
  }

  /** Begins a stream; returns what it sends to continue. */
  public Optional<Known> begin() {
    begunNanos = System.nanoTime();
    // A stream that ended within a content that is not complete continues with the one before.
    arriving = current;
    if (hasContent) {
      resume = Optional.empty();
    }
    hasContent = false;
    hasAt = false;
    if (current != null) {
      current.incomplete.keySet().forEach(current.marks::remove);
      current.incomplete.clear();
    }
    return Optional.ofNullable(current)
        .map(some -> new Known(some.incarnation, resume, Map.copyOf(some.marks)));
  }

  public void receive(byte[] piece) {
    var in = ByteBuffer.wrap(piece);
    while (in.hasRemaining()) {
      int type = in.get();
      var length = in.getInt();
      assertTrue(length >= 0 && length <= MOST, "the length of a frame");
      var payload = in.slice(in.position(), length);
      in.position(in.position() + length);
      receive(type, payload);
    }
  }

  private void receive(int type, ByteBuffer payload) {
    switch (type) {
      case 1 -> begin(json(payload));
      case 2 -> {
        var bytes = plane(payload);
        var offset = payload.getInt();
        payload.get(bytes, offset, payload.remaining());
      }
      case 3 -> {
        var bytes = plane(payload);
        while (payload.hasRemaining()) {
          var entry = payload.getInt();
          bytes[entry >>> 8] = (byte) entry;
        }
      }
      case 4 -> {
        Arrays.fill(plane(payload), (byte) 0);
        assertEquals(0, payload.remaining());
      }
      case 5 -> complete(payload);
      case 6 -> end = Optional.of(json(payload));
      default -> throw new AssertionError("unknown frame " + type);
    }
  }

  private static JsonNode json(ByteBuffer payload) {
    try {
      var bytes = new byte[payload.remaining()];
      payload.get(bytes);
      return JSON.readTree(bytes);
    } catch (IOException malformed) {
      throw new UncheckedIOException(malformed);
    }
  }

  private void begin(JsonNode plan) {
    var incarnation = plan.get("incarnation").textValue();
    if (arriving == null || !arriving.incarnation.equals(incarnation)) {
      arriving = new Content(incarnation);
    }
    arriving.plan = plan;
  }

  private byte[] plane(ByteBuffer payload) {
    var segment = payload.getInt();
    var plane = Short.toUnsignedInt(payload.getShort());
    var mark = new byte[Long.BYTES];
    payload.get(mark);
    arriving.incomplete.put(segment, mark);
    contents.merge(segment, 1, Integer::sum);
    hasContent |= !hasAt;
    assertTrue(plane < arriving.plan.get("planes").intValue());
    return arriving.planes.computeIfAbsent(
        new PlaneId(segment, plane), id -> new byte[bytes(arriving.plan, segment)]);
  }

  private static int bytes(JsonNode plan, int segment) {
    for (var layer : plan.get("plan").get("layers")) {
      var shape = layer.get("shape");
      if (segment < layer.get("firstSegment").intValue() + shape.get("segments").intValue()) {
        var bits = shape.get("segmentBits").intValue() / plan.get("planes").intValue();
        return ((plan.get("plan").get("counting").booleanValue() ? bits / 4 : bits) + 7) / 8;
      }
    }
    throw new AssertionError("no layer has the segment " + segment);
  }

  private void complete(ByteBuffer payload) {
    redisMillis = payload.getLong();
    var ageMillis = payload.getInt();
    // The time since the request minus the time since the stream began is the delay on the way.
    asOfNanos = begunNanos + 1_000_000 * (payload.getLong() - ageMillis);
    resume = Optional.of(new Resume(payload.getLong(), payload.getLong()));
    assertEquals(0, payload.remaining());
    arriving.marks.putAll(arriving.incomplete);
    arriving.incomplete.clear();
    current = arriving;
    hasAt = true;
    hasContent = false;
    ats++;
  }

  /** Whether an element may be in the content, by the generation that it belongs to. */
  public boolean mightContain(Generation generation, byte[] element) {
    return generation.layers().stream().anyMatch(layer -> isIn(generation, layer, element));
  }

  private boolean isIn(Generation generation, Layer layer, byte[] element) {
    var positions = new long[layer.places().numHashFunctions()];
    var segment =
        layer.firstSegment() + generation.scheme().locate(element, layer.places(), positions);
    for (var plane = 0; plane < current.plan.get("planes").intValue(); plane++) {
      var bytes = current.planes.get(new PlaneId(segment, plane));
      if (bytes != null
          && Arrays.stream(positions)
              .allMatch(bit -> (bytes[(int) (bit >>> 3)] & 0x80 >> (bit & 7)) != 0)) {
        return true;
      }
    }
    return false;
  }

  /** The bits of a plane of the content that answers, in hexadecimal. */
  String bits(PlaneId id, int length) {
    return HexFormat.of().formatHex(current.planes.getOrDefault(id, new byte[length]));
  }
}
