package io.github.bloomgate.model.error;

/** What ends a stream of elements or a file before its end. */
public final class StreamErrors {

  private StreamErrors() {}

  /** As many streams run as the service allows. */
  public static BloomException tooMany(int limit) {
    return BloomException.of(
        ErrorCode.TOO_MANY_STREAMS,
        "The service runs %d streams at once, which is its limit. Repeat the request later."
            .formatted(limit));
  }

  /** A stream ended before its end, or cannot be unzipped. */
  public static BloomException broken(Throwable cause) {
    return new BloomException(
        ErrorCode.INVALID_REQUEST,
        "The body is cut short, or is not what its Content-Encoding says.",
        null,
        cause);
  }

  /** A line of a stream stands for no element. */
  public static BloomException invalidLine(long line, String mistake) {
    return BloomException.of(
        ErrorCode.INVALID_REQUEST, "Line %d %s. Correct it.".formatted(line, mistake));
  }

  /** The element of a line is longer than the service allows. */
  public static BloomException lineTooLong(long line, String mistake) {
    return BloomException.of(
        ErrorCode.LIMIT_EXCEEDED,
        "Line %d %s. Leave it out, shorten it or hash it.".formatted(line, mistake));
  }

  /**
   * A stream failed, so that a part of it was done.
   *
   * @param line the first line, from 1, that failed or was in a call that failed
   * @param appliedCount how many elements are known to be added
   */
  public static BloomException addStopped(BloomException cause, long line, long appliedCount) {
    return new BloomException(
        cause.code(),
        cause.reason(),
        "The stream stopped at line %d; %d elements were applied. Send the rest again."
            .formatted(line, appliedCount),
        new ProblemDetails.Stopped(line, appliedCount),
        cause);
  }

  /**
   * The content of a filter was replaced, or a rebuild of it opened, beneath a stream that adds,
   * and its first lines could not be brought along.
   *
   * @param cause why not
   * @param lines how many lines from the first on may be in the old content only
   * @param certain how many of those behind them are in what is live and what is loaded
   */
  public static BloomException leftBehind(BloomException cause, long lines, long certain) {
    return new BloomException(
        cause.code(),
        cause.reason(),
        "A rebuild was opened, or the content replaced, while the stream ran: lines 1 to %d may be in the old content only, and the %d after them are in the new one too. Send lines 1 to %d again."
            .formatted(lines, certain, lines),
        new ProblemDetails.Stopped(1, certain),
        cause);
  }

  /** The first lines of a stream are not kept, as it is too long. */
  public static BloomException notKept(Object name) {
    return BloomException.of(
        ErrorCode.FILTER_CHANGED,
        "The filter '%s' has changed, and what the stream added before is not kept, as it needs more room than bloomgate.streams.replay-max-size leaves."
            .formatted(name));
  }

  /** Likewise for a stream that removes. */
  public static BloomException removalStopped(BloomException cause, long line, long appliedCount) {
    return new BloomException(
        cause.code(),
        cause.reason(),
        "The stream stopped at line %d; of %d elements it is known that they were removed, or not there. Lines before this one are done; do not send again what may be removed already: it may take away other elements."
            .formatted(line, appliedCount),
        new ProblemDetails.Stopped(line, appliedCount),
        cause);
  }

  /** Likewise for a stream that tests. */
  public static BloomException testStopped(BloomException cause, long line) {
    return new BloomException(
        cause.code(),
        cause.reason(),
        "The stream stopped at line %d.".formatted(line),
        new ProblemDetails.Stopped(line, null),
        cause);
  }

  /** Likewise for a stream that replaces the content of a filter, all or nothing. */
  public static BloomException replacementStopped(BloomException cause, long line) {
    return new BloomException(
        cause.code(),
        cause.reason(),
        "The stream stopped at line %d; the filter keeps the content it had. Send all of it again."
            .formatted(line),
        new ProblemDetails.Stopped(line, null),
        cause);
  }

  /**
   * A file that is to be imported is not what an export makes.
   *
   * @param problem what is wrong with the file, as the rest of a sentence
   * @param position the byte at which the part of the file begins in which it was noticed
   */
  public static BloomException corruptImport(String problem, long position) {
    return BloomException.of(
        ErrorCode.CORRUPT_IMPORT,
        "The file cannot be imported: %s (at byte %d). Nothing was changed. Transfer the file again, byte for byte, or export the filter again."
            .formatted(problem, position));
  }
}
