package io.github.bloomgate.elements;

import static org.junit.jupiter.api.Assertions.fail;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.TestInstance;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** An instance that uses filters, and one that changes them meanwhile. */
abstract class UserAndChanger {

  static final Set<ErrorCode> PERMITTED =
      Set.of(ErrorCode.FILTER_NOT_FOUND, ErrorCode.FILTER_CHANGED, ErrorCode.FILTER_NOT_READY);

  static TestRedis redis;
  static TestInstance user;
  static TestInstance changer;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    user = new TestInstance(redis);
    changer = new TestInstance(redis);
  }

  @AfterAll
  static void stop() {
    user.close();
    changer.close();
    redis.close();
  }

  static void awaitProgress(AtomicLong rounds, int more, CompletableFuture<?> use) {
    var enough = rounds.get() + more;
    Awaitility.await()
        .atMost(TestInstance.PATIENCE)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> rounds.get() >= enough || use.isDone());
    if (use.isCompletedExceptionally()) {
      use.join();
    }
  }

  static void assertPermitted(BloomException failure) {
    if (!PERMITTED.contains(failure.code())) {
      fail(failure.code() + ": " + failure.getMessage(), failure);
    }
  }
}
