package io.github.bloomgate.lines;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;

/** Consecutive elements with their lines. */
public final class LineBatch {

  /** The most elements of a batch of the usual size. */
  public static final int MAX_ELEMENTS = 4096;

  /** The bytes of lines at which a batch of the usual size is full. */
  public static final int ORDINARY_BYTES = 1 << 20;

  /** Above the usual size, the bytes of lines for each element. */
  private static final int BYTES_PER_ELEMENT = 32;

  private static final int FIRST_BYTES = 1 << 16;
  private static final int FIRST_ELEMENTS = 1 << 10;

  private final long firstLine;
  private final int enoughBytes;
  private final int maxElements;
  private byte[] bytes;
  private int used;
  private int lineBytes;
  private int size;

  /** Start and end of each line. */
  private int[] lines;

  /** Start and end of each element. */
  private int[] elements;

  LineBatch(long firstLine, int enoughBytes) {
    this(
        firstLine,
        enoughBytes,
        new byte[FIRST_BYTES],
        new int[2 * FIRST_ELEMENTS],
        new int[2 * FIRST_ELEMENTS]);
  }

  /** Takes over the arrays of a batch that is no longer used. */
  LineBatch(long firstLine, int enoughBytes, LineBatch used) {
    this(firstLine, enoughBytes, used.bytes, used.lines, used.elements);
  }

  private LineBatch(long firstLine, int enoughBytes, byte[] bytes, int[] lines, int[] elements) {
    this.firstLine = firstLine;
    this.enoughBytes = enoughBytes;
    this.maxElements =
        enoughBytes > ORDINARY_BYTES ? enoughBytes / BYTES_PER_ELEMENT : MAX_ELEMENTS;
    this.bytes = bytes;
    this.lines = lines;
    this.elements = elements;
  }

  /** Adds a line that contains its element unchanged. */
  void add(byte[] from, int start, int end, int elementStart, int elementEnd) {
    var shift = append(from, start, end) - start;
    note(start + shift, end + shift, elementStart + shift, elementEnd + shift);
  }

  /** Adds a line and its decoded element. */
  void add(byte[] from, int start, int end, byte[] element) {
    var line = append(from, start, end);
    var at = append(element, 0, element.length);
    note(line, line + end - start, at, at + element.length);
  }

  private int append(byte[] from, int start, int end) {
    var length = end - start;
    if (length > bytes.length - used) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, used + length));
    }
    System.arraycopy(from, start, bytes, used, length);
    used += length;
    return used - length;
  }

  private void note(int lineStart, int lineEnd, int elementStart, int elementEnd) {
    if (2 * size == lines.length) {
      lines = Arrays.copyOf(lines, 2 * lines.length);
      elements = Arrays.copyOf(elements, 2 * elements.length);
    }
    lines[2 * size] = lineStart;
    lines[2 * size + 1] = lineEnd;
    elements[2 * size] = elementStart;
    elements[2 * size + 1] = elementEnd;
    // Includes the line end, because empty lines count too.
    lineBytes += lineEnd - lineStart + 1;
    size++;
  }

  boolean isFull() {
    return size >= maxElements || lineBytes >= enoughBytes;
  }

  /** The number of the first line, from 1. */
  public long firstLine() {
    return firstLine;
  }

  /** The bytes of its lines, with one for each end; if it is full, at least its limit. */
  int fill() {
    return isFull() ? Math.max(enoughBytes, lineBytes) : lineBytes;
  }

  public int size() {
    return size;
  }

  /** The elements, in order; at least one. */
  public List<byte[]> elements() {
    return new PackedElements(bytes, elements, 0, size);
  }

  /** Writes the original line of an element, including CR but not LF. */
  public void writeLine(int index, OutputStream out) throws IOException {
    out.write(bytes, lines[2 * index], lines[2 * index + 1] - lines[2 * index]);
  }
}
