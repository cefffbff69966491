package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.await;

import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.Beside;
import io.github.bloomgate.support.TestInstance;
import io.smallrye.mutiny.Uni;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Two instances on one Redis, and a gate that keeps the first calls of one under way. */
abstract class CoalescingInstances {

  static final int THREADS = 8;

  /** More than may be under way before others wait. */
  static final int CALLS_UNDER_WAY = 8;

  static TestRedis redis;
  static TestInstance one;
  static TestInstance other;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    one = new TestInstance(redis);
    other = new TestInstance(redis);
  }

  @AfterAll
  static void stop() {
    one.close();
    other.close();
    redis.close();
  }

  static String gate() {
    return "gate " + UUID.randomUUID();
  }

  static void open(String gate) {
    redis.command("RPUSH", gate, "open");
  }

  static <T> CompletableFuture<T> start(Uni<T> request) {
    return request.subscribeAsCompletionStage();
  }

  static <T> T join(CompletableFuture<T> started) {
    return await(Uni.createFrom().completionStage(started));
  }

  static void inThreads(ThreadWork work) throws Exception {
    var tasks =
        IntStream.range(0, THREADS)
            .mapToObj(
                thread ->
                    Beside.run(
                        () -> {
                          work.run(thread);
                        }))
            .toList();
    for (var task : tasks) {
      task.get(120, TimeUnit.SECONDS);
    }
  }

  @FunctionalInterface
  interface ThreadWork {
    void run(int thread);
  }
}
