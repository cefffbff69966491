package io.github.bloomgate.model.error;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.zip.ZipException;

/** Errors that stop a stream of elements or a file. */
public final class StreamErrors {

  private StreamErrors() {}

  public static BloomException tooMany(int limit) {
    return BloomException.of(
        ErrorCode.TOO_MANY_STREAMS,
        "The service is already running %d streams, which is its limit. Repeat the request later."
            .formatted(limit));
  }

  /** The key has used up its share of the streams. */
  public static BloomException tooManyOfKey(String key, int limit) {
    return BloomException.of(
        ErrorCode.TOO_MANY_STREAMS,
        "The key '%s' has already used up its share of the service's %d streams. Repeat the request when one of its streams has ended."
            .formatted(key, limit));
  }

  /** The results of a stream over HTTP/1.0 cannot be kept until its end. */
  public static BloomException noRoomForAnswers() {
    return BloomException.of(
        ErrorCode.TOO_LARGE,
        "There is no room to keep the results until the end of the stream, as HTTP/1.0 requires. The lines received so far were processed. Send fewer lines in one request, or use HTTP/1.1; in nginx, set"
            + " proxy_http_version 1.1.");
  }

  public static BloomException broken(IOException cause) {
    return new BloomException(
        ErrorCode.INVALID_REQUEST,
        cause instanceof ZipException || cause instanceof EOFException
            ? "The body is not complete gzip. Send Content-Encoding: identity if it is not compressed; otherwise compress it again."
            : "The body is incomplete. Send all of it.",
        null,
        cause);
  }

  /**
   * The body is not lines of text, or not the expected file.
   *
   * @param mistake completes "The body ..."
   * @param remedy a sentence
   */
  public static BloomException mismatch(String mistake, String remedy) {
    return RequestErrors.invalid("The body %s. %s".formatted(mistake, remedy));
  }

  public static BloomException invalidLine(long line, String mistake) {
    return RequestErrors.invalid("Line %d %s. Correct it.".formatted(line, mistake));
  }

  public static BloomException lineTooLong(long line, String mistake) {
    return RequestErrors.limitExceeded(
        "Line %d %s. Leave it out, shorten it or hash it.".formatted(line, mistake));
  }

  /**
   * A stream of adds failed part way.
   *
   * @param line the first line, from 1, that failed or was in a call that failed
   * @param appliedCount the number of elements known to be added
   */
  public static BloomException addStopped(BloomException cause, long line, long appliedCount) {
    return stopped(
        cause,
        line,
        appliedCount,
        "%s applied. Send the rest again.".formatted(RequestErrors.elementsWere(appliedCount)));
  }

  /**
   * A rebuild was opened, or the content was replaced, during a stream, so the first lines may be
   * missing from the new content.
   *
   * @param lines the number of first lines that may be only in the old content
   * @param certain the number of following lines that are in the old and the new content
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

  /** A stream of removals failed part way. */
  public static BloomException removalStopped(BloomException cause, long line, long appliedCount) {
    return stopped(
        cause,
        line,
        appliedCount,
        "%s removed or absent. The lines before this one are done. Do not resend lines that may already have been removed, because that may remove other elements."
            .formatted(RequestErrors.elementsWere(appliedCount)));
  }

  /** A stream of tests failed. */
  public static BloomException testStopped(BloomException cause, long line) {
    return new BloomException(
        cause.code(),
        cause.reason(),
        "The stream stopped at line %d.".formatted(line),
        new ProblemDetails.Stopped(line, null),
        cause);
  }

  private static BloomException stopped(
      BloomException cause, long line, Long appliedCount, String consequence) {
    return new BloomException(
        cause.code(),
        cause.reason(),
        "The stream stopped at line %d; %s".formatted(line, consequence),
        new ProblemDetails.Stopped(line, appliedCount),
        cause);
  }

  /** A stream that replaces the content of a filter failed, so nothing was replaced. */
  public static BloomException replacementStopped(BloomException cause, long line) {
    return stopped(cause, line, null, "the filter keeps its content. Send everything again.");
  }

  public static BloomException tempFolderUnusable(Path folder, IOException cause) {
    var reason = cause instanceof FileSystemException file ? file.getReason() : cause.getMessage();
    // A missing folder gives no reason.
    var shown = reason == null ? "it is missing or not writable" : reason;
    return new BloomException(
        ErrorCode.TEMP_FOLDER_UNUSABLE,
        "The folder for temporary files, %s, cannot be used: %s. Start the service with a writable folder that has room for whole files."
            .formatted(folder, shown),
        null,
        cause);
  }

  /**
   * The file to import is damaged.
   *
   * @param problem completes a sentence
   * @param position the start, in bytes, of the damaged part
   */
  public static BloomException corruptImport(String problem, long position) {
    return BloomException.of(
        ErrorCode.CORRUPT_IMPORT,
        "The file cannot be imported: %s (at byte %d). Nothing was changed. Transfer the file again, byte for byte, or export the filter again."
            .formatted(problem, position));
  }
}
