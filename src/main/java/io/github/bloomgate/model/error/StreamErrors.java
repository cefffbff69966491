package io.github.bloomgate.model.error;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.zip.ZipException;

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

  /** A key has as many streams as it leaves to other keys. */
  public static BloomException tooManyOfKey(String key, int limit) {
    return BloomException.of(
        ErrorCode.TOO_MANY_STREAMS,
        "The key '%s' runs as many streams as it leaves free for other keys, of %d that the service runs at once. Repeat the request when one of them has ended."
            .formatted(key, limit));
  }

  /** The answers to a stream over HTTP/1.0 cannot be kept until its end. */
  public static BloomException noRoomForAnswers() {
    return BloomException.of(
        ErrorCode.TOO_LARGE,
        "There is no room to keep the answers until the end of the stream, as HTTP/1.0 needs it. The"
            + " lines so far were done. Send fewer lines in one request, or use HTTP/1.1; in nginx, set"
            + " proxy_http_version 1.1.");
  }

  /** A body ended before its end, or cannot be unzipped. */
  public static BloomException broken(IOException cause) {
    return new BloomException(
        ErrorCode.INVALID_REQUEST,
        cause instanceof ZipException
            ? "The body is not whole gzip. Leave its Content-Encoding out if it is plain; otherwise zip it again."
            : "The body is cut short. Send it whole.",
        null,
        cause);
  }

  /**
   * A body is something else than lines of text, or than the file it should be.
   *
   * @param mistake what it looks like, to follow "The body"
   * @param remedy a sentence
   */
  public static BloomException mismatch(String mistake, String remedy) {
    return BloomException.of(
        ErrorCode.INVALID_REQUEST, "The body %s. %s".formatted(mistake, remedy));
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
   * A rebuild was opened while lines were added, or the content was replaced, so the first lines
   * are not in the new content.
   *
   * @param lines how many lines from the first on may be in the old content only
   * @param certain how many lines behind them are in what is live and in what is loaded
   */
  public static BloomException leftBehind(Object name, long lines, long certain) {
    return new BloomException(
        ErrorCode.FILTER_CHANGED,
        "A rebuild of the filter '%s' was opened, or its content was replaced, while the stream ran."
            .formatted(name),
        "Lines 1 to %d may be missing from the new content; the %d lines after them are in it. Send lines 1 to %d again."
            .formatted(lines, certain, lines),
        new ProblemDetails.Stopped(1, certain),
        null);
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

  /** An import, or what a stream has added, cannot be kept on disk. */
  public static BloomException tempFolderUnusable(Path folder, IOException cause) {
    var reason = cause instanceof FileSystemException file ? file.getReason() : cause.getMessage();
    // Of a folder that is not there the system has no reason.
    var shown = reason == null ? "it is missing, or may not be written to" : reason;
    return new BloomException(
        ErrorCode.TEMP_FOLDER_UNUSABLE,
        "What the request needs on disk cannot be kept in the folder for temporary files, %s: %s. Start the service with another one, which it may write to and which has room for whole files."
            .formatted(folder, shown),
        null,
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
