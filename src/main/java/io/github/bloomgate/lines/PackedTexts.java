package io.github.bloomgate.lines;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;

/**
 * Texts as UTF-8 bytes in one array, to avoid an object for each. The list returns strings, which
 * are not created if the bytes are the elements.
 */
public final class PackedTexts extends AbstractList<String> implements RandomAccess {

  /** The start of a null. */
  private static final int NULL = -1;

  /** The start of a text without UTF-8 bytes, because it holds half of a surrogate pair. */
  private static final int HALF = -2;

  private static final int MAX_BYTES_PER_CHAR = 3;

  private final CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
  private ByteBuffer bytes = ByteBuffer.allocate(1 << 10);
  private int[] bounds = new int[1 << 6];
  private int size;

  public void add(char[] from, int offset, int length) {
    if (bytes.remaining() < (long) MAX_BYTES_PER_CHAR * length) {
      grow(MAX_BYTES_PER_CHAR * length);
    }
    var start = bytes.position();
    encoder.reset();
    if (encoder.encode(CharBuffer.wrap(from, offset, length), bytes, true).isError()) {
      bytes.position(start);
      bound(HALF);
    } else {
      bound(start);
    }
  }

  public void addNull() {
    bound(NULL);
  }

  private void bound(int start) {
    if (2 * size == bounds.length) {
      bounds = Arrays.copyOf(bounds, 2 * bounds.length);
    }
    bounds[2 * size] = start;
    bounds[2 * size + 1] = bytes.position();
    size++;
  }

  private void grow(int more) {
    var larger =
        ByteBuffer.allocate(Math.max(2 * bytes.capacity(), Math.addExact(bytes.position(), more)));
    bytes = larger.put(bytes.flip());
  }

  @Override
  public String get(int index) {
    return switch (start(index)) {
      case NULL -> null;
      case HALF -> "\ud800";
      default ->
          new String(
              bytes.array(), start(index), end(index) - start(index), StandardCharsets.UTF_8);
    };
  }

  @Override
  public int size() {
    return size;
  }

  /** Whether the UTF-8 bytes of all texts are elements. */
  public boolean areElements() {
    for (var i = 0; i < size; i++) {
      if (start(i) < 0 || end(i) - start(i) > ElementEncoding.MAX_ELEMENT_BYTES) {
        return false;
      }
    }
    return true;
  }

  /** The UTF-8 bytes of all texts, if they are elements. */
  public List<byte[]> toElements() {
    return new PackedElements(bytes.array(), bounds, 0, size);
  }

  private int start(int index) {
    return bounds[2 * index];
  }

  private int end(int index) {
    return bounds[2 * index + 1];
  }
}
