package io.github.bloomgate.http.stream;

import io.github.bloomgate.elements.BatchOperation;
import io.github.bloomgate.elements.Flags;
import io.github.bloomgate.http.limits.RateLimits.Pace;
import io.github.bloomgate.lines.ContentMismatchException;
import io.github.bloomgate.lines.ElementLines;
import io.github.bloomgate.lines.InvalidLineException;
import io.github.bloomgate.lines.LineBatch;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ProblemDetails;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.error.StreamErrors;
import io.github.bloomgate.threads.Await;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Adds, removes or tests the elements of lines, batch after batch, in order. While one batch is in
 * Redis the next one is read; nothing else is buffered, so Redis slows down the reading, and the
 * reading the client. Writes all available results before it waits for the client.
 *
 * <p>Blocks. Not thread-safe.
 */
public final class ElementStream {

  private final ElementLines lines;
  private final BatchOperation operation;
  private final Pace pace;
  private final Stop stop;
  private final Results results;

  private LineBatch asked;
  private CompletableFuture<Flags> answer;
  private long received;
  private long trueCount;

  /** The greatest age of the answers; null if they have none. */
  private Duration age;

  /** Creates a stream, which has not been read yet. */
  public ElementStream(
      ElementLines lines, BatchOperation operation, Pace pace, Stop stop, Results results) {
    this.lines = lines;
    this.operation = operation;
    this.pace = pace;
    this.stop = stop;
    this.results = results;
  }

  /**
   * Makes one step: waits for lines, or for the results of earlier lines and writes them.
   *
   * @return false at the end
   * @throws BloomException with {@link ProblemDetails.Stopped}, if a line is invalid, the input
   *     ends early, the operation fails, its result cannot be acknowledged or the output has no
   *     room; all earlier batches were processed and their results written
   * @throws IOException from the output
   */
  public boolean step(OutputStream out) throws IOException {
    if (lines.mayWait()) {
      if (answer != null) {
        finishBatch(out);
        return true;
      }
      out.flush();
    }
    var batch = read(out);
    finishBatch(out);
    batch.ifPresentOrElse(this::ask, this::acknowledge);
    return batch.isPresent();
  }

  /**
   * Continues to the end.
   *
   * @throws BloomException as {@link #step}
   * @throws IOException from the output
   */
  public void finish(OutputStream out) throws IOException {
    while (step(out)) {}
  }

  /**
   * Continues to the end without writing results.
   *
   * @throws BloomException as {@link #step}
   */
  public void finish() throws IOException {
    finish(OutputStream.nullOutputStream());
  }

  public long received() {
    return received;
  }

  public long trueCount() {
    return trueCount;
  }

  /** The greatest age of the answers when they were found; empty if they have none. */
  public Optional<Duration> age() {
    return Optional.ofNullable(age);
  }

  private Optional<LineBatch> read(OutputStream out) throws IOException {
    BloomException failure;
    try {
      return lines.next();
    } catch (InvalidLineException invalid) {
      failure = refused(invalid);
    } catch (ContentMismatchException other) {
      failure = StreamErrors.mismatch(other.getMessage(), other.remedy());
    } catch (IOException broken) {
      failure = StreamErrors.broken(broken);
    }
    finishBatch(out);
    throw stopped(failure, lines.nextLine(), received);
  }

  private BloomException refused(InvalidLineException invalid) {
    var line = lines.nextLine();
    if (!invalid.isTooLong()) {
      return RequestErrors.invalid("Line %d %s. Correct it.".formatted(line, invalid.getMessage()));
    }
    return RequestErrors.limitExceeded(
        "Line %d %s. Leave it out, shorten it or hash it.%s"
            .formatted(
                line,
                invalid.getMessage(),
                line == 1
                    ? " If it is a whole file, sent with curl -d, which removes line ends, send the file with -T."
                    : ""));
  }

  private void ask(LineBatch batch) {
    asked = batch;
    var elements = batch.elements();
    answer =
        pace.before(elements.size())
            .chain(() -> operation.apply(elements))
            .subscribeAsCompletionStage();
  }

  private void acknowledge() {
    try {
      operation.acknowledge();
    } catch (BloomException failure) {
      throw stopped(failure, lines.nextLine(), received);
    }
  }

  private void finishBatch(OutputStream out) throws IOException {
    if (answer == null) {
      return;
    }
    var batch = asked;
    var flags = await(batch);
    asked = null;
    answer = null;
    received += batch.elements().size();
    trueCount += flags.trueCount();
    flags
        .age()
        .filter(some -> age == null || some.compareTo(age) > 0)
        .ifPresent(some -> age = some);
    write(batch, flags, out);
    lines.reuse(batch);
  }

  private void write(LineBatch batch, Flags flags, OutputStream out) throws IOException {
    try {
      results.write(batch, flags.flags(), out);
    } catch (BloomException noRoom) {
      throw stopped(noRoom, batch.firstLine() + batch.size(), received);
    }
  }

  private Flags await(LineBatch batch) {
    try {
      return Await.await(answer);
    } catch (RuntimeException failed) {
      var cause =
          failed instanceof BloomException known
              ? known
              : RequestErrors.internal("A batch of a stream failed", failed);
      var applied =
          cause.details().orElse(null) instanceof ProblemDetails.Applied part ? part : null;
      var count = applied == null ? 0 : applied.count();
      var isExact = applied != null && applied.inOrder();
      throw stopped(cause, batch.firstLine() + (isExact ? count : 0), received + count);
    }
  }

  private BloomException stopped(BloomException cause, long line, long appliedCount) {
    if (cause.details().orElse(null) instanceof ProblemDetails.Stopped) {
      return cause;
    }
    try {
      operation.acknowledgePart();
    } catch (BloomException uncertain) {
      return uncertain;
    }
    return stop.because(cause, line, appliedCount);
  }

  /** Makes the error that says how far a stream came. */
  public interface Stop {

    BloomException because(BloomException cause, long line, long appliedCount);
  }

  /** Writes the results for a batch of lines. */
  public interface Results {

    /**
     * The media type of the response.
     *
     * @param ofLines the media type of the lines
     */
    MediaType type(MediaType ofLines);

    /** The number of flags for each line: one for each filter that its element is sent to. */
    int flagsOfLine();

    void write(LineBatch batch, boolean[] flags, OutputStream out) throws IOException;
  }
}
