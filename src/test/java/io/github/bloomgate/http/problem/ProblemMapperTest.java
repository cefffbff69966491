package io.github.bloomgate.http.problem;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.support.LogRecords;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which exceptions are defects, and are logged. */
class ProblemMapperTest {

  private final ProblemMapper problems = new ProblemMapper(new FailureLog());

  @Test
  void aResponseToADisconnectedClientIsNotADefect() {
    assertEquals(0, logged(new IOException("Failed to write"), true));
  }

  @Test
  void aResponseThatCannotBeWrittenIsADefect() {
    assertEquals(1, logged(new IOException("Failed to write"), false));
  }

  @Test
  void aDefectIsLoggedEvenIfTheClientHasDisconnected() {
    assertEquals(1, logged(new IllegalStateException("defect"), true));
  }

  private long logged(Exception failure, boolean isClosed) {
    var response = answering(HttpServerResponse.class, Map.of("closed", isClosed));
    try (var log = LogRecords.ofAll()) {
      problems.unexpected(failure, answering(RoutingContext.class, Map.of("response", response)));
      return log.seen().stream().filter(line -> line.contains("A request failed")).count();
    }
  }

  private static <T> T answering(Class<T> type, Map<String, Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answers.get(method.getName())));
  }
}
