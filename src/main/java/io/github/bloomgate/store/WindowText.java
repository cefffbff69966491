package io.github.bloomgate.store;

import static io.github.bloomgate.store.FilterState.required;

import io.github.bloomgate.hash.BitCount;
import io.github.bloomgate.model.SliceCounts;
import io.github.bloomgate.model.Window;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A window as the field {@code window} of a segment's state has it: slices, 1 if it refreshes,
 * seconds, milliseconds of a slice, insertions, insertions of a slice. And how many bits are 1 in
 * each ring, as the field {@code ringBitsSet} has it. {@code lua/window.lua} reads both too.
 */
final class WindowText {

  /** The field. */
  static final String FIELD = "window";

  private static final int FIELDS = 6;

  /** Separates numbers. */
  private static final String SPACE = " ";

  private WindowText() {}

  static String of(Window window) {
    return "%d %d %d %d %d %d"
        .formatted(
            window.slices(),
            window.refresh() ? 1 : 0,
            window.seconds(),
            window.sliceMillis(),
            window.insertions(),
            window.sliceInsertions());
  }

  /** Reads a window, or fails with IllegalArgumentException. */
  static Window read(String text) {
    var parts = text.split(SPACE, -1);
    if (parts.length != FIELDS) {
      throw new IllegalArgumentException(FIELD);
    }
    return new Window(
        Long.parseLong(parts[2]),
        Long.parseLong(parts[4]),
        Integer.parseInt(parts[0]),
        parts[1].equals("1"),
        Long.parseLong(parts[3]),
        Long.parseLong(parts[5]));
  }

  /** How many bits of a bitmap are 1 in each ring. */
  static String held(Window window, byte[] bitmap) {
    var bytes = bitmap.length / window.rings();
    return IntStream.range(0, window.rings())
        .mapToObj(ring -> Long.toString(BitCount.of(bitmap, ring * bytes, bytes)))
        .collect(Collectors.joining(SPACE));
  }

  /**
   * Reads how many bits are 1 in each slice that is remembered, or fails with
   * IllegalArgumentException.
   *
   * @param fields as they were read, with the time
   * @param bitsSet bits that are 1 in all rings
   */
  static SliceCounts readSlices(Map<String, String> fields, long bitsSet) {
    var window = read(required(fields, FIELD));
    var rings = window.rings();
    // None of one that nothing was added to.
    var text = fields.get("ringBitsSet");
    var held =
        text == null
            ? new long[rings]
            : Arrays.stream(text.split(SPACE, -1)).mapToLong(Long::parseLong).toArray();
    if (held.length != rings
        || Arrays.stream(held).anyMatch(bits -> bits < 0)
        || Arrays.stream(held).sum() != bitsSet) {
      throw new IllegalArgumentException("ringBitsSet");
    }
    var slice = number(fields, "slice");
    var now =
        window.isByTime()
            ? Math.max(
                Math.max(slice, number(fields, "newestSlice")),
                Long.parseLong(required(fields, "now")) / window.sliceMillis())
            : slice;
    return new SliceCounts(
        now,
        IntStream.range(0, rings)
            .mapToObj(
                age -> isHeld(now - age, slice, window) ? held[(int) ((now - age) % rings)] : 0)
            .toList());
  }

  private static boolean isHeld(long some, long slice, Window window) {
    return some >= 0 && some <= slice && some >= slice - window.slices();
  }

  private static long number(Map<String, String> fields, String name) {
    var number = Long.parseLong(fields.getOrDefault(name, "0"));
    if (number < 0) {
      throw new IllegalArgumentException(name);
    }
    return number;
  }
}
