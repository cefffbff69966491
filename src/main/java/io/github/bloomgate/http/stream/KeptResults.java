package io.github.bloomgate.http.stream;

import io.github.bloomgate.config.ScratchFile;
import io.github.bloomgate.http.limits.StreamSlots.Slot;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.StreamErrors;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * The results of a stream, kept until it has been received completely: clients and proxies may stop
 * sending when a response begins. A few are kept in memory, more in a temporary file.
 *
 * <p>First written, then read, by one thread at a time. May be released by any other.
 */
public final class KeptResults extends OutputStream {

  static final int IN_MEMORY = 1 << 15;

  /** Disk space is taken in blocks, which also limits the number of files. */
  private static final int BLOCK = 1 << 20;

  private final Slot slot;

  /** The results that are not in the file. */
  private final ByteBuffer rest = ByteBuffer.allocate(IN_MEMORY);

  /** Null if there are few results. */
  private FileChannel file;

  private long inFile;
  private long room;
  private long read;
  private boolean isReleased;

  public KeptResults(Slot slot) {
    this.slot = slot;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  /**
   * Keeps results.
   *
   * @throws BloomException TOO_LARGE or OVERLOADED if there is no room on the disk;
   *     TEMP_FOLDER_UNUSABLE
   * @throws IOException if they were released, because the client has gone
   */
  @Override
  public void write(byte[] bytes, int start, int length) throws IOException {
    var results = ByteBuffer.wrap(bytes, start, length);
    while (results.hasRemaining()) {
      if (!rest.hasRemaining()) {
        moveToFile();
      }
      var count = Math.min(results.remaining(), rest.remaining());
      rest.put(bytes, results.position(), count);
      results.position(results.position() + count);
    }
  }

  /** Whether nothing was written. */
  public boolean isEmpty() {
    return inFile == 0 && rest.position() == 0;
  }

  /**
   * Ends writing.
   *
   * @return the bytes of all results
   */
  public long finish() {
    rest.flip();
    return inFile + rest.remaining();
  }

  private synchronized void moveToFile() throws IOException {
    requireKept();
    rest.flip();
    if (inFile + rest.remaining() > room) {
      slot.keep(BLOCK, room);
      room += BLOCK;
    }
    try {
      if (file == null) {
        file = ScratchFile.open("bloomgate-results-");
      }
      while (rest.hasRemaining()) {
        inFile += file.write(rest, inFile);
      }
    } catch (IOException disk) {
      throw StreamErrors.tempFolderUnusable(ScratchFile.folder(), disk);
    }
    rest.clear();
  }

  private void requireKept() throws IOException {
    if (isReleased) {
      throw new IOException("The client closed the connection");
    }
  }

  /**
   * Reads the next results.
   *
   * @param most the most bytes to return
   * @throws BloomException TEMP_FOLDER_UNUSABLE if the file cannot be read
   * @throws IOException if they were released, because the client has gone
   */
  synchronized byte[] next(int most) throws IOException {
    requireKept();
    if (read == inFile) {
      var last = new byte[Math.min(most, rest.remaining())];
      rest.get(last);
      return last;
    }
    var bytes = ByteBuffer.allocate((int) Math.min(most, inFile - read));
    try {
      while (bytes.hasRemaining()) {
        var count = file.read(bytes, read);
        if (count < 0) {
          throw new EOFException("a file was cut short");
        }
        read += count;
      }
    } catch (IOException disk) {
      throw StreamErrors.tempFolderUnusable(ScratchFile.folder(), disk);
    }
    return bytes.array();
  }

  /**
   * Reads all results, writes them to another stream and releases them.
   *
   * @throws BloomException as {@link #next}
   */
  public void moveTo(OutputStream out) throws IOException {
    for (var left = finish(); left > 0; ) {
      var piece = next(IN_MEMORY);
      out.write(piece);
      left -= piece.length;
    }
    release();
  }

  /** Deletes the results and gives back their room. Later calls have no effect. */
  public synchronized void release() {
    if (isReleased) {
      return;
    }
    isReleased = true;
    slot.drop(room);
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException alreadyUnlinked) {
      // The room is free when the process ends.
    }
  }
}
