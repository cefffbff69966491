package io.github.bloomgate.http.problem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.error.StoreErrors;
import io.github.bloomgate.support.LogRecords;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailureLogTest {

  private final FailureLog failures = new FailureLog();

  private static List<String> linesOf(Runnable work) {
    try (var log = LogRecords.ofAll()) {
      work.run();
      return log.seen().stream().filter(line -> line.contains("failed since then")).toList();
    }
  }

  @Test
  void theFirstOfAKindIsLoggedAndTheOthersAreCounted() {
    assertTrue(failures.isFirst(StoreErrors.unavailable("away", null)));
    for (var i = 0; i < 999; i++) {
      assertFalse(failures.isFirst(StoreErrors.unavailable("away", null)));
    }
    assertTrue(failures.isFirst(StoreErrors.full()));
    var lines = linesOf(failures::logOthers);
    assertEquals(1, lines.size(), lines.toString());
    assertTrue(lines.get(0).contains("STORE_UNAVAILABLE"), lines.get(0));
    assertTrue(lines.get(0).contains("999"), lines.get(0));
  }

  @Test
  void afterAPauseTheNextDefectIsLogged() {
    assertTrue(failures.isFirst(StoreErrors.full()));
    assertEquals(List.of(), linesOf(failures::logOthers));
    assertTrue(failures.isFirst(StoreErrors.full()));
  }

  @Test
  void defectsAreDistinguishedByException() {
    assertTrue(failures.isFirst(RequestErrors.internal("a", new IllegalStateException())));
    assertTrue(failures.isFirst(RequestErrors.internal("a", new IllegalArgumentException())));
    for (var i = 0; i < 3; i++) {
      assertEquals(
          i == 0, failures.isFirst(RequestErrors.internal("a", new java.io.IOException())));
    }
  }

  @Test
  void theNumberOfKindsIsLimited() {
    var first = 0;
    for (var i = 0; i < 10_000; i++) {
      var cause = new IllegalStateException();
      cause.setStackTrace(
          new StackTraceElement[] {new StackTraceElement("Some", "method" + i, "Some.java", i)});
      first += failures.isFirst(RequestErrors.internal("a", cause)) ? 1 : 0;
    }
    assertTrue(first <= 101, first + " were logged");
  }
}
