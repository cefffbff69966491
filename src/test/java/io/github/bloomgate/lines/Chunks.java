package io.github.bloomgate.lines;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Random;

/** An input that arrives in pieces of any size, pauses after each of them, or breaks. */
final class Chunks extends InputStream {

  private final Deque<byte[]> chunks = new ArrayDeque<>();
  private boolean breaks;
  private int place;

  /** The content in pieces of random size. */
  static Chunks random(byte[] content, Random random) {
    var chunks = new Chunks();
    for (var from = 0; from < content.length; ) {
      var to = Math.min(content.length, from + 1 + random.nextInt(1 << random.nextInt(18)));
      chunks.chunks.add(Arrays.copyOfRange(content, from, to));
      from = to;
    }
    return chunks;
  }

  static Chunks of(byte[]... pieces) {
    var chunks = new Chunks();
    chunks.chunks.addAll(Arrays.asList(pieces));
    return chunks;
  }

  /** Makes the input fail at its end. */
  Chunks thenBreaks() {
    breaks = true;
    return this;
  }

  @Override
  public int read() {
    throw new UnsupportedOperationException("Byte by byte is too slow");
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (chunks.isEmpty()) {
      if (breaks) {
        throw new IOException("broken off");
      }
      return -1;
    }
    var chunk = chunks.peek();
    var count = Math.min(length, chunk.length - place);
    System.arraycopy(chunk, place, into, offset, count);
    place += count;
    if (place == chunk.length) {
      chunks.remove();
      place = 0;
    }
    return count;
  }

  /** The rest of the current piece, after which the input pauses. */
  @Override
  public int available() {
    return place == 0 ? 0 : chunks.element().length - place;
  }
}
