package io.github.bloomgate.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestLink;
import io.smallrye.mutiny.Uni;
import org.junit.jupiter.api.function.Executable;

/** Asserts that calls fail with an error of the service, and returns it. */
public final class Failures {

  private Failures() {}

  public static BloomException assertFails(ErrorCode code, Executable call) {
    var failure = assertThrows(BloomException.class, call);
    assertEquals(code, failure.code(), failure.getMessage());
    return failure;
  }

  public static BloomException assertFails(ErrorCode code, Uni<?> result) {
    return assertFails(code, () -> TestLink.await(result));
  }
}
