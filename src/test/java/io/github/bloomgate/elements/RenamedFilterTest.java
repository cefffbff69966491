package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestInstance.sized;

import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestInstance;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Adds made before a rename are folded after it. */
@OnRedis
class RenamedFilterTest {

  private static TestRedis redis;
  private static TestInstance one;

  @Test
  void aQuietRenamedFilterIsFolded() {
    var name = name();
    var newName = name();
    var filter = one.create(name, sized(1_000, 0.01, WhenFull.ACCEPT));
    one.add(name, elements("a", 10));
    one.renames.rename(name, newName, false);
    // The instance knows the filter by its old name only, and the journal is quiet.
    one.fold();
    one.assertMaybe(newName, elements("a", 10));
    Awaitility.await()
        .until(
            () -> {
              one.rounds.rest(Duration.ZERO, Duration.ZERO);
              return bitsSet(TestInstance.segmentKey(filter, 0)) > 0;
            });
  }

  private static int bitsSet(String key) {
    return redis.command("BITCOUNT", key, "0", "999").toInteger();
  }
}
