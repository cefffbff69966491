package io.github.bloomgate.elements;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.Filter;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.support.TestInstance;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;

/** Does what a timer does in the service. */
public final class TestWatches {

  private static final Duration AN_HOUR = Duration.ofHours(1);

  private TestWatches() {}

  /** Tests with a great age until the copies alone can answer. */
  public static void awaitCopies(TestInstance instance, FilterName name) {
    var some = TestInstance.elements("a", 1);
    var test = instance.elements.test(name, some, Optional.of(AN_HOUR), Client.SERVICE);
    assertTrue(TestInstance.await(test).age().isPresent());
    Awaitility.await()
        .until(
            () -> {
              refreshAll(instance);
              return instance.get(Watches.class).watched(name).flatMap(Watched::age).isPresent();
            });
    // A round after the last refresh.
    assertEquals(1, instance.test(name, some).length);
  }

  /** The filter as the watch knows it. */
  public static Filter watched(TestInstance instance, FilterName name) {
    return instance.get(Watches.class).find(List.of(name)).orElseThrow().get(0);
  }

  /** Brings the copies of all watched filters up to date, even if they are young. */
  public static void refreshAll(TestInstance instance) {
    instance.get(Watches.class).refreshAll(Duration.ofNanos(2));
  }
}
