package io.github.bloomgate.model.error;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.zip.ZipException;

/** Errors that stop a stream of elements or a file. */
public final class StreamErrors {

  private StreamErrors() {}

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
   * A stream failed part way.
   *
   * @param appliedCount null if it changed nothing
   * @param outcome completes "The stream stopped at line 7; ..."
   */
  public static BloomException stopped(
      BloomException cause, long line, Long appliedCount, String outcome) {
    return cause.withOutcome(
        "The stream stopped at line %d; %s".formatted(line, outcome),
        new ProblemDetails.Stopped(line, appliedCount));
  }

  public static BloomException tempFolderUnusable(Path folder, IOException cause) {
    var reason = cause instanceof FileSystemException file ? file.getReason() : cause.getMessage();
    // A missing folder gives no reason.
    var shown = reason == null ? "it is missing or not writable" : reason;
    return new BloomException(
        ErrorCode.TEMP_FOLDER_UNUSABLE,
        "The folder for temporary files, %s, cannot be used: %s. Make it writable and free space in it, or start the service with another folder that has room for the largest file."
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
