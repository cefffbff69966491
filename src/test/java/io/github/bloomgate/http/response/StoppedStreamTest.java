package io.github.bloomgate.http.response;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.response.ElementsResult.Operation;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.ProblemDetails;
import io.github.bloomgate.model.error.StoreErrors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients send a stream again after 503, from its first line on. */
class StoppedStreamTest {

  @ParameterizedTest
  @CsvSource({
    "ADD, 4, STORE_UNAVAILABLE, 4 elements were applied. Send the rest again.",
    "TEST, 0, STORE_UNAVAILABLE, The stream stopped at line 5.",
    "COUNTED_ADD, 0, STORE_UNAVAILABLE, 0 elements were applied.",
    "COUNTED_ADD, 4, STORE_OUTCOME_UNKNOWN, count twice if you send them again.",
    "REMOVE, 0, STORE_UNAVAILABLE, 0 elements were removed or absent.",
    "REMOVE, 4, STORE_OUTCOME_UNKNOWN, The lines before this one are done."
  })
  void changesThatCountAreNotInvitedToBeRepeated(
      Operation operation, long applied, ErrorCode code, String text) {
    var stopped = operation.stopped(StoreErrors.unavailable("Redis is gone.", null), 5, applied);
    assertEquals(code, stopped.code());
    var message = stopped.getMessage();
    assertTrue(message.startsWith("Redis is gone. The stream stopped at line 5"), message);
    assertTrue(message.contains(text), message);
    var expected = new ProblemDetails.Stopped(5, operation == Operation.TEST ? null : applied);
    assertEquals(expected, stopped.details().orElseThrow());
  }
}
