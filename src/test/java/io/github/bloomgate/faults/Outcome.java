package io.github.bloomgate.faults;

import io.github.bloomgate.files.portable.FilterFileReader;
import io.github.bloomgate.files.portable.FilterFileSink;
import io.github.bloomgate.model.error.BloomException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/**
 * The outcome of a request.
 *
 * @param code the error code; empty for success or without a body
 * @param body as text; for an export, the content of the file
 */
record Outcome(Operation operation, int status, String code, String body) {

  private static final Pattern CODE = Pattern.compile("\"code\"\\s*:\\s*\"(\\w+)\"");

  static Outcome of(Operation operation, HttpResponse<byte[]> answer) {
    var text =
        operation.isOf("exportFilter") && answer.statusCode() == 200
            ? exported(answer.body())
            : PackagedService.text(answer);
    var code = CODE.matcher(text);
    return new Outcome(operation, answer.statusCode(), code.find() ? code.group(1) : "", text);
  }

  /** The insertions in a verified file. */
  private static String exported(byte[] file) {
    var insertions = new AtomicLong();
    var sink =
        new FilterFileSink() {
          @Override
          public void endSegment(int segment, long counted) {
            insertions.addAndGet(counted);
          }
        };
    try {
      new FilterFileReader(new ByteArrayInputStream(file)).read(sink);
      return "a file of " + insertions + " insertions";
    } catch (BloomException | IOException corrupt) {
      return "an invalid file: " + corrupt.getMessage();
    }
  }

  boolean isSuccess() {
    return status / 100 == 2;
  }

  /**
   * Whether it is this error. Compares the code, or only the status if the response has no body.
   */
  boolean is(int expectedStatus, String expectedCode) {
    return status == expectedStatus
        && (code.equals(expectedCode) || (operation.isOf("probeFilter") && body.isEmpty()));
  }

  @Override
  public String toString() {
    var shown = body.length() > 300 ? body.substring(0, 300) : body;
    return operation + " answered " + status + " " + shown;
  }
}
