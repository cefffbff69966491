package io.github.bloomgate.http.stream;

import io.github.bloomgate.elements.Answers;
import io.github.bloomgate.elements.LongAdd;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ProblemDetails;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.error.StreamErrors;
import io.github.bloomgate.model.lines.ContentMismatchException;
import io.github.bloomgate.model.lines.ElementLines;
import io.github.bloomgate.model.lines.InvalidLineException;
import io.github.bloomgate.model.lines.LineBatch;
import io.smallrye.mutiny.Uni;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/**
 * Adds, removes or tests the elements of lines, batch after batch, in order. While one batch is
 * with Redis the next one is read; nothing else is held, so that the reading waits for Redis, and
 * the client for the reading. Before it waits for the client it writes all answers that it has.
 *
 * <p>Blocks; for one thread.
 */
public final class ElementStream {

  private final ElementLines lines;
  private final Function<List<byte[]>, Uni<Answers>> operation;
  private final Stop stop;
  private final ReturnMode returnMode;
  private final Runnable acknowledgement;
  private final Runnable acknowledgementOfPart;

  private LineBatch asked;
  private CompletableFuture<Answers> answer;
  private long received;
  private long trueCount;

  private ElementStream(
      ElementLines lines,
      Function<List<byte[]>, Uni<Answers>> operation,
      Stop stop,
      ReturnMode returnMode,
      Runnable acknowledgement,
      Runnable acknowledgementOfPart) {
    this.lines = lines;
    this.operation = operation;
    this.stop = stop;
    this.returnMode = returnMode;
    this.acknowledgement = acknowledgement;
    this.acknowledgementOfPart = acknowledgementOfPart;
  }

  /** One that acknowledges each batch by its answer. */
  private ElementStream(
      ElementLines lines,
      Function<List<byte[]>, Uni<Answers>> operation,
      Stop stop,
      ReturnMode returnMode) {
    this(lines, operation, stop, returnMode, () -> {}, () -> {});
  }

  /** A stream whose operation adds elements; its errors tell how many were. */
  public static ElementStream ofAdds(
      ElementLines lines, Function<List<byte[]>, Uni<Answers>> add, ReturnMode returnMode) {
    return new ElementStream(lines, add, StreamErrors::addStopped, returnMode);
  }

  /**
   * Likewise, without an answer before the end.
   *
   * @param add one batch of it
   * @param all acknowledged before anything is said of what was added
   */
  public static ElementStream ofOneAdd(
      ElementLines lines, Function<List<byte[]>, Uni<Answers>> add, LongAdd all) {
    return new ElementStream(
        lines,
        add,
        StreamErrors::addStopped,
        ReturnMode.NONE,
        all::acknowledge,
        all::acknowledgePart);
  }

  /** A stream whose operation removes elements; its errors tell how many were. */
  public static ElementStream ofRemovals(
      ElementLines lines, Function<List<byte[]>, Uni<Answers>> remove, ReturnMode returnMode) {
    return new ElementStream(lines, remove, StreamErrors::removalStopped, returnMode);
  }

  /** A stream whose operation loads what takes effect only if all of it was loaded. */
  public static ElementStream ofReplacement(
      ElementLines lines, Function<List<byte[]>, Uni<Answers>> load) {
    return new ElementStream(
        lines,
        load,
        (cause, line, applied) -> StreamErrors.replacementStopped(cause, line),
        ReturnMode.NONE);
  }

  /** A stream whose operation changes nothing. */
  public static ElementStream ofTests(
      ElementLines lines, Function<List<byte[]>, Uni<Answers>> test, ReturnMode returnMode) {
    return new ElementStream(
        lines, test, (cause, line, applied) -> StreamErrors.testStopped(cause, line), returnMode);
  }

  /**
   * Goes one step on: waits for lines, or for the answers to earlier ones and writes them.
   *
   * @return false when all is done
   * @throws BloomException with {@link ProblemDetails.Stopped}, if a line is invalid, the input
   *     breaks off, the operation fails or what was done cannot be acknowledged; all batches before
   *     were done and their answers written
   * @throws IOException as the output does
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
    batch.ifPresentOrElse(this::ask, acknowledgement);
    return batch.isPresent();
  }

  /**
   * Goes on to the end without an answer meanwhile.
   *
   * @throws BloomException as {@link #step} does
   */
  public void finish() throws IOException {
    while (step(OutputStream.nullOutputStream())) {}
  }

  /** How many elements were done. */
  public long received() {
    return received;
  }

  /** How many of them were answered with true. */
  public long trueCount() {
    return trueCount;
  }

  /** Whether the next step may wait for the client to send. */
  boolean mayWait() {
    try {
      return lines.mayWait();
    } catch (IOException broken) {
      // The read will tell.
      return true;
    }
  }

  private Optional<LineBatch> read(OutputStream out) throws IOException {
    BloomException failure;
    try {
      return lines.next();
    } catch (InvalidLineException invalid) {
      failure =
          invalid.isTooLong()
              ? StreamErrors.lineTooLong(invalid.line(), invalid.getMessage())
              : StreamErrors.invalidLine(invalid.line(), invalid.getMessage());
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
    // Deferred, so that what is thrown at once ends the stream like any other failure.
    answer =
        Uni.createFrom()
            .deferred(() -> operation.apply(batch.elements()))
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
    received += flags.flags().length;
    trueCount += flags.trueCount();
    returnMode.write(batch, flags.flags(), out);
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
      acknowledgementOfPart.run();
    } catch (BloomException uncertain) {
      return uncertain;
    }
    return stop.because(cause, line, appliedCount);
  }

  /** How an error tells where a stream stopped. */
  private interface Stop {
    BloomException because(BloomException cause, long line, long appliedCount);
  }
}
