package io.github.bloomgate.http.stream;

import io.github.bloomgate.elements.Answers;
import io.github.bloomgate.elements.BatchOperation;
import io.github.bloomgate.http.limits.RateLimits.Pace;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ProblemDetails;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.error.StreamErrors;
import io.github.bloomgate.model.lines.ContentMismatchException;
import io.github.bloomgate.model.lines.ElementLines;
import io.github.bloomgate.model.lines.InvalidLineException;
import io.github.bloomgate.model.lines.LineBatch;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

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
  private CompletableFuture<Answers> answer;
  private long received;
  private long trueCount;

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
   *     ends early, the operation fails or its result cannot be acknowledged; all earlier batches
   *     were processed and their results written
   * @throws IOException from the output
   */
  public boolean step(OutputStream out) throws IOException {
    if (mayWait()) {
      if (answer != null) {
        finishBatch(out);
        return true;
      }
      out.flush();
    }
    var batch = read(out);
    finishBatch(out);
    batch.ifPresentOrElse(this::ask, operation::acknowledge);
    return batch.isPresent();
  }

  /**
   * Continues to the end without writing results.
   *
   * @throws BloomException as {@link #step}
   */
  public void finish() throws IOException {
    while (step(OutputStream.nullOutputStream())) {}
  }

  public long received() {
    return received;
  }

  public long trueCount() {
    return trueCount;
  }

  public boolean mayWait() {
    return lines.mayWait();
  }

  private Optional<LineBatch> read(OutputStream out) throws IOException {
    BloomException failure;
    try {
      return lines.next();
    } catch (InvalidLineException invalid) {
      failure =
          invalid.isTooLong()
              ? RequestErrors.limitExceeded(
                  "Line %d %s. Leave it out, shorten it or hash it."
                      .formatted(lines.nextLine(), invalid.getMessage()))
              : RequestErrors.invalid(
                  "Line %d %s. Correct it.".formatted(lines.nextLine(), invalid.getMessage()));
    } catch (ContentMismatchException other) {
      failure = StreamErrors.mismatch(other.getMessage(), other.remedy());
    } catch (IOException broken) {
      failure = StreamErrors.broken(broken);
    }
    finishBatch(out);
    throw stopped(failure, lines.nextLine(), received);
  }

  private void ask(LineBatch batch) {
    asked = batch;
    var elements = batch.elements();
    answer =
        pace.before(elements.size())
            .chain(() -> operation.apply(elements))
            .subscribeAsCompletionStage();
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
    results.write(batch, flags.flags(), out);
    lines.reuse(batch);
  }

  private Answers await(LineBatch batch) {
    try {
      return answer.join();
    } catch (CompletionException failed) {
      var cause =
          failed.getCause() instanceof BloomException known
              ? known
              : RequestErrors.internal("A batch of a stream failed", failed.getCause());
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
    void write(LineBatch batch, boolean[] flags, OutputStream out) throws IOException;
  }
}
