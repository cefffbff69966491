package io.github.bloomgate.model.lines;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntUnaryOperator;

/**
 * Reads elements from lines, in batches. A line ends with LF or CR LF; the last one may end
 * without.
 *
 * <p>A batch is what has arrived, so that a live source gets its elements acted on while it pauses.
 * Memory holds the batch, which ordinarily is at most {@value LineBatch#MAX_ELEMENTS} elements or a
 * MiB and a line, and a buffer. Not thread-safe.
 */
public final class ElementLines {

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  /** How long a large batch may take to be gathered, and a pause in it may be. */
  private static final long PATIENCE_NANOS = 250_000_000;

  private static final long PAUSE_NANOS = 5_000_000;
  private static final long LOOK_AGAIN_NANOS = 50_000;

  /** From so many elements on more of them are likely to come at once. */
  private static final int LIKELY_MORE = 1024;

  /** How long a batch for which nobody waits may be gathered beyond the ordinary size. */
  private static final long GATHERING_NANOS = 1_000_000_000;

  private final LineFormat format;
  private final ElementEncoding encoding;
  private final LineReader reader;
  private final IntUnaryOperator batchBytes;
  private final boolean isAwaited;
  private long nextLine = 1;
  private int lastBytes;
  private int lastFill;
  private int lastSize;
  private LineBatch spent;
  private InvalidLineException invalid;
  private IOException broken;

  /**
   * Lines of an input, which is not closed, in batches of the ordinary size.
   *
   * @param in its {@code available} must not be positive when a read would wait
   */
  public ElementLines(InputStream in, LineFormat format, ElementEncoding encoding) {
    this(in, format, encoding, last -> LineBatch.ORDINARY_BYTES, true);
  }

  /**
   * Lines of an input, which is not closed.
   *
   * @param in its {@code available} must not be positive when a read would wait
   * @param batchBytes asked for each batch, and told how many bytes of lines the last one had:
   *     after how many it is full
   * @param isAwaited whether somebody waits for what becomes of lines, so that they are handed out
   *     when no more come
   */
  public ElementLines(
      InputStream in,
      LineFormat format,
      ElementEncoding encoding,
      IntUnaryOperator batchBytes,
      boolean isAwaited) {
    this.format = format;
    this.encoding = encoding;
    this.reader = new LineReader(new TextInput(in), format.maxLineBytes(encoding));
    this.batchBytes = batchBytes;
    this.isAwaited = isAwaited;
  }

  /**
   * Waits for a line, then takes all that can be had without waiting, up to a full batch. A batch
   * that is large already waits for more, but for milliseconds only.
   *
   * @return empty after the last line
   * @throws InvalidLineException if the next line stands for no element; all lines before it were
   *     returned, and no line behind it ever is
   * @throws ContentMismatchException if the first kilobyte is not text
   * @throws IOException as the input does; all whole lines before were returned
   */
  public Optional<LineBatch> next() throws IOException, InvalidLineException {
    var batch =
        spent == null
            ? new LineBatch(nextLine, batchBytes.applyAsInt(lastFill), lastBytes, lastSize)
            : new LineBatch(nextLine, batchBytes.applyAsInt(lastFill), spent);
    spent = null;
    var began = System.nanoTime();
    while (goOn(batch, began)) {}
    if (batch.size() > 0) {
      lastBytes = batch.usedBytes();
      lastFill = batch.fill();
      lastSize = batch.size();
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

  /**
   * Takes back a batch that nobody needs any more, nor its elements: large arrays that live long
   * are cheaper than those that are made again for every batch.
   */
  public void reuse(LineBatch done) {
    spent = done;
  }

  /** Whether {@link #next} may have to wait for input. */
  public boolean mayWait() throws IOException {
    return invalid == null && broken == null && reader.mayWait();
  }

  /** The number of the line that is read next, counted from 1. */
  public long nextLine() {
    return nextLine;
  }

  /** A break while a batch is gathered is told after the batch. */
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
    return isAwaited
        ? batch.size() >= LIKELY_MORE && comesSoon(began)
        : !batch.isOrdinary() || System.nanoTime() - began < GATHERING_NANOS;
  }

  /** Whether input comes in a moment; the larger a batch, the less each of its elements costs. */
  private boolean comesSoon(long began) throws IOException {
    var since = System.nanoTime();
    var now = since;
    while (now - since < PAUSE_NANOS && now - began < PATIENCE_NANOS) {
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
      if (!reader.next()) {
        return false;
      }
      if (nextLine == 1 && startsWithMark(reader)) {
        throw new MalformedLineException(
            "begins with a byte order mark; remove it, or send it as base64 or hex if it belongs to"
                + " the element");
      }
      format.read(reader.buffer(), reader.lineStart(), reader.lineEnd(), encoding, batch);
      nextLine++;
      return true;
    } catch (LineTooLongException tooLong) {
      invalid = new InvalidLineException(nextLine, ElementEncoding.TOO_LONG);
    } catch (MalformedLineException malformed) {
      invalid = new InvalidLineException(nextLine, malformed.getMessage());
    }
    return false;
  }

  private static boolean startsWithMark(LineReader line) {
    return Arrays.equals(
        line.buffer(),
        line.lineStart(),
        Math.min(line.lineEnd(), line.lineStart() + BYTE_ORDER_MARK.length),
        BYTE_ORDER_MARK,
        0,
        BYTE_ORDER_MARK.length);
  }
}
