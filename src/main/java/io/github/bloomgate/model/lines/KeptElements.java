package io.github.bloomgate.model.lines;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * Elements that are kept in order to be read again: the first in memory, and once they are many all
 * of them in a temporary file that only this account can read and that is gone when this is closed.
 * Not thread-safe.
 */
public final class KeptElements implements AutoCloseable {

  private static final int BUFFER_BYTES = 1 << 17;

  /** What is read at once, about. */
  private static final int BATCH_BYTES = 1 << 20;

  private ByteBuffer buffer = ByteBuffer.allocate(1 << 10);
  private FileChannel file;
  private long written;

  /** How many bytes are needed to keep elements. */
  public static long bytesOf(List<byte[]> elements) {
    var bytes = (long) Integer.BYTES * elements.size();
    if (elements instanceof PackedElements packed) {
      for (var i = 0; i < packed.size(); i++) {
        bytes += packed.end(i) - packed.start(i);
      }
    } else {
      for (var element : elements) {
        bytes += element.length;
      }
    }
    return bytes;
  }

  /** How many bytes are kept: where the next element begins. */
  public long size() {
    return written + buffer.position();
  }

  /**
   * Keeps elements.
   *
   * @throws IOException if the file cannot be made or written; then all that was kept is of no use
   */
  public void add(List<byte[]> elements) throws IOException {
    for (var i = 0; i < elements.size(); i++) {
      if (elements instanceof PackedElements packed) {
        add(packed.bytes(), packed.start(i), packed.end(i));
      } else {
        add(elements.get(i), 0, elements.get(i).length);
      }
    }
  }

  private void add(byte[] from, int start, int end) throws IOException {
    makeRoom(Integer.BYTES + end - start);
    buffer.putInt(end - start).put(from, start, end - start);
  }

  private void makeRoom(int bytes) throws IOException {
    if (buffer.remaining() >= bytes) {
      return;
    }
    if (buffer.position() + bytes <= BUFFER_BYTES) {
      var larger = Math.max(2 * buffer.capacity(), buffer.position() + bytes);
      buffer = ByteBuffer.allocate(Math.min(BUFFER_BYTES, larger)).put(buffer.flip());
    } else {
      flush();
      makeRoom(bytes);
    }
  }

  private void flush() throws IOException {
    if (file == null) {
      file = ScratchFile.open("bloomgate-stream-");
    }
    buffer.flip();
    while (buffer.hasRemaining()) {
      written += file.write(buffer, written);
    }
    buffer.clear();
  }

  /**
   * Reads elements, in batches.
   *
   * @param from where the first begins, a {@link #size} from before it was kept
   * @param count how many
   */
  public void read(long from, long count, Reader reader) throws IOException {
    var in = new DataInputStream(from(from));
    var at = from;
    for (var left = count; left > 0; ) {
      var batch = new ArrayList<byte[]>();
      var begin = at;
      while (left > 0 && batch.size() < LineBatch.MAX_ELEMENTS && at - begin < BATCH_BYTES) {
        var element = new byte[in.readInt()];
        in.readFully(element);
        batch.add(element);
        at += Integer.BYTES + element.length;
        left--;
      }
      reader.take(batch, begin);
    }
  }

  private InputStream from(long from) throws IOException {
    if (file == null) {
      return new ByteArrayInputStream(buffer.array(), (int) from, (int) (size() - from));
    }
    flush();
    return new BufferedInputStream(Channels.newInputStream(file.position(from)), BUFFER_BYTES);
  }

  @Override
  public void close() {
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException e) {
      // It was read, or is not needed.
    }
  }

  /** Takes what is read. */
  public interface Reader {
    /**
     * Takes some elements that follow each other; adds none to what is kept.
     *
     * @param from where the first of them begins
     */
    void take(List<byte[]> elements, long from);
  }
}
