package io.github.bloomgate.lines;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntUnaryOperator;

/**
 * Reads elements from lines, in batches. A line ends with LF or CR LF; the last one may end
 * without.
 *
 * <p>A batch contains the lines that have arrived, so that a slow source does not delay its
 * elements. Memory holds one batch, usually at most {@value LineBatch#MAX_ELEMENTS} elements or a
 * MiB and a line, and a buffer. Not thread-safe.
 */
public final class ElementLines {

  /** The longest time to gather a large batch, and the longest pause in it. */
  private static final long GATHER_NANOS = 250_000_000;

  private static final long PAUSE_NANOS = 5_000_000;
  private static final long LOOK_AGAIN_NANOS = 50_000;

  /** From this number of elements, more are likely to follow immediately. */
  private static final int LIKELY_MORE = 1024;

  /** The longest time to gather a batch if no client waits for results. */
  private static final long GATHERING_NANOS = 1_000_000_000;

  private final LineFormat format;
  private final ElementEncoding encoding;
  private final LineReader reader;
  private final LineCheck check;
  private final IntUnaryOperator batchBytes;
  private final Sender sender;
  private long nextLine = 1;
  private int lastFill;
  private LineBatch used;
  private InvalidLineException invalid;

  /** The failure of the input, which must not be read again: that could look like the end. */
  private IOException broken;

  /**
   * Does not close the input.
   *
   * @param in its {@code available} must not be positive if a read would block
   * @param declared the charset that the sender declares, if any; lines must be in it
   * @param batchBytes returns the byte limit of the next batch, given the bytes of the last one
   */
  public ElementLines(
      InputStream in,
      LineFormat format,
      ElementEncoding encoding,
      Optional<Charset> declared,
      IntUnaryOperator batchBytes,
      Sender sender) {
    this.format = format;
    this.encoding = encoding;
    this.reader = new LineReader(in, format.maxLineBytes(encoding));
    this.check = new LineCheck(declared);
    this.batchBytes = batchBytes;
    this.sender = sender;
  }

  /**
   * Waits for a line, then reads all available lines, up to a full batch. A large batch waits some
   * milliseconds for more.
   *
   * @return empty after the last line
   * @throws InvalidLineException if the next line is not an element; all lines before it were
   *     returned, and none after it will be
   * @throws ContentMismatchException if the first kilobyte is not text, or is JSON in the place of
   *     text
   * @throws IOException from the input; all whole lines before were returned
   */
  public Optional<LineBatch> next() throws IOException, InvalidLineException {
    var limit = batchBytes.applyAsInt(lastFill);
    var batch =
        used == null ? new LineBatch(nextLine, limit) : new LineBatch(nextLine, limit, used);
    used = null;
    var began = System.nanoTime();
    while (goOn(batch, began)) {}
    if (batch.size() > 0) {
      lastFill = batch.fill();
      return Optional.of(batch);
    }
    if (invalid != null) {
      throw invalid;
    }
    if (broken != null) {
      throw broken;
    }
    return Optional.empty();
  }

  /** Reuses the arrays of a batch. The caller must no longer use the batch or its elements. */
  public void reuse(LineBatch done) {
    used = done;
  }

  /** Whether {@link #next} may block. */
  public boolean mayWait() {
    try {
      return invalid == null && broken == null && reader.mayWait();
    } catch (IOException failure) {
      broken = failure;
      return false;
    }
  }

  /** The number of the next line, from 1; of the invalid one after {@link InvalidLineException}. */
  public long nextLine() {
    return nextLine;
  }

  /** If the input fails while a batch is gathered, the batch is returned first. */
  private boolean goOn(LineBatch batch, long began) {
    try {
      return canGoOn(batch, began) && readInto(batch);
    } catch (IOException failure) {
      broken = failure;
      return false;
    }
  }

  private boolean canGoOn(LineBatch batch, long began) throws IOException {
    if (invalid != null || broken != null || batch.isFull()) {
      return false;
    }
    if (batch.size() == 0 || !reader.mayWait()) {
      return true;
    }
    return sender == Sender.SOURCE
        ? System.nanoTime() - began < GATHERING_NANOS
        : batch.size() >= LIKELY_MORE && comesSoon(began);
  }

  /** Whether more input arrives in a moment. Larger batches cost less per element. */
  private boolean comesSoon(long began) throws IOException {
    var since = System.nanoTime();
    var now = since;
    while (now - since < PAUSE_NANOS && now - began < GATHER_NANOS) {
      LockSupport.parkNanos(LOOK_AGAIN_NANOS);
      if (Thread.currentThread().isInterrupted()) {
        return false;
      }
      if (!reader.mayWait()) {
        return true;
      }
      now = System.nanoTime();
    }
    return false;
  }

  private boolean readInto(LineBatch batch) throws IOException {
    try {
      if (nextLine == 1 && format == LineFormat.TEXT) {
        requireNoJson();
      }
      if (!reader.next()) {
        return false;
      }
      check.require(reader.buffer(), reader.lineStart(), reader.lineEnd());
      format.read(reader.buffer(), reader.lineStart(), reader.lineEnd(), encoding, batch);
      nextLine++;
      return true;
    } catch (InvalidLineException refused) {
      invalid = refused;
      return false;
    }
  }

  private void requireNoJson() throws IOException {
    var beginning = reader.beginning();
    if (!reader.isAtEnd() && JsonText.needsMore(beginning)) {
      // A client that waits for a result sends no more before it.
      beginning = reader.longBeginning(sender != Sender.WAITING_CLIENT);
    }
    var isWhole = reader.isAtEnd() && beginning.length() < LineReader.HEAD_BYTES;
    var json = JsonText.in(beginning, isWhole);
    if (json.isPresent()) {
      throw json.get().mismatch(sender);
    }
  }
}
