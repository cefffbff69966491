package io.github.bloomgate.lines;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Some elements that follow each other, with the lines they come from. */
public final class LineBatch {

  /** The most elements of one batch. */
  public static final int MAX_ELEMENTS = 4096;

  /** A batch takes no further line once its lines have this many bytes. */
  private static final int ENOUGH_BYTES = 1 << 20;

  private final long firstLine;
  private final List<byte[]> lines = new ArrayList<>();
  private final List<byte[]> elements = new ArrayList<>();
  private int bytes;

  LineBatch(long firstLine) {
    this.firstLine = firstLine;
  }

  void add(byte[] line, byte[] element) {
    lines.add(line);
    elements.add(element);
    bytes += line.length;
  }

  boolean isFull() {
    return elements.size() == MAX_ELEMENTS || bytes >= ENOUGH_BYTES;
  }

  /** The number of the first line, counted from 1. */
  public long firstLine() {
    return firstLine;
  }

  /** The elements, in order; at least one. */
  public List<byte[]> elements() {
    return Collections.unmodifiableList(elements);
  }

  /** The line of an element as it came, CR included, LF not. */
  public byte[] line(int index) {
    return lines.get(index);
  }
}
