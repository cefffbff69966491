package io.github.bloomgate.model.error;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.zip.ZipException;

/** Errors that stop a stream of elements or a file. */
public final class StreamErrors {

  private static final String WITHOUT_ROOM =
      "Send fewer lines in one request, or read the results while you send, with interleave=true.";

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
   * A stream of changes that count failed part way: removals, or adds to a counting filter.
   *
   * @param line the first line, from 1, that failed or was in a call that failed
   * @param appliedCount the number of elements known to be done
   * @param outcome completes "The stream stopped at line 7; ..."
   */
  public static BloomException countedStopped(
      BloomException cause, long line, long appliedCount, String outcome) {
    var isUnknown = appliedCount > 0 && cause.code().isRepeated();
    return stopped(isUnknown ? StoreErrors.inPart(cause) : cause, line, appliedCount, outcome);
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

  /**
   * The results of one stream exceed the disk space for one client.
   *
   * @param most in bytes
   */
  public static BloomException tooManyResults(long most) {
    return RequestErrors.tooLarge(
        "The results exceed the %d bytes that the service keeps until the end of a stream. %s"
            .formatted(most, WITHOUT_ROOM));
  }

  /** Results that have not been read use the disk space for results. */
  public static BloomException noRoom() {
    return BloomException.of(
        ErrorCode.OVERLOADED,
        "The results of other streams, which have not been read, use the disk space for results or this client's share of it. "
            + WITHOUT_ROOM);
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

  /** The file to import has a version that this version of the service cannot read. */
  public static BloomException otherVersion(String version, int supported) {
    return BloomException.of(
        ErrorCode.CORRUPT_IMPORT,
        "The file cannot be imported: its format has version %s, and this service reads version %d. Nothing was changed. Import the file with the version of Bloomgate that exported it, or rebuild the filter from its elements."
            .formatted(version, supported));
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
