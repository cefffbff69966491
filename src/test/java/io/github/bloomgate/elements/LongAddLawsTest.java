package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.name;

import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.Beside;
import io.github.bloomgate.support.TestExtent;
import io.github.bloomgate.support.TestInstance;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Law 1 for adds of many batches on two instances, while empty rebuilds are opened, committed and
 * aborted beneath them: what is acknowledged after an opening outlives its commit, however early it
 * was added. No source of elements hides a loss.
 */
@Tag("slow")
class LongAddLawsTest {

  private static final int CYCLES = TestExtent.of("test.long-add-cycles", 12, 2_000);
  private static final int WRITERS = 4;
  private static final int MOST_BATCHES = 6;
  private static final int MOST_ELEMENTS = 300;

  /** Of adds that one cycle waits for. */
  private static final int A_FEW = 6;

  private static final Duration AN_HOUR = Duration.ofHours(1);

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private final List<Acknowledged> acknowledged = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger openings = new AtomicInteger();
  private final List<CompletableFuture<Void>> writers = new ArrayList<>();

  /** The last opening whose rebuild was committed. */
  private int committed;

  private TestRedis redis;
  private TestInstance one;
  private TestInstance other;

  @BeforeEach
  void start() {
    redis = TestRedis.started();
    one = new TestInstance(redis);
    other = new TestInstance(redis);
  }

  @AfterEach
  void stop() {
    one.close();
    other.close();
    redis.close();
  }

  @Test
  void whatIsAcknowledgedAfterAnOpeningOutlivesItsCommit() throws Exception {
    System.out.println("whatIsAcknowledgedAfterAnOpeningOutlivesItsCommit: seed " + seed);
    var name = name();
    one.create(name, parameters());
    var done = new CompletableFuture<Void>();
    for (var writer = 0; writer < WRITERS; writer++) {
      var own = new Random(random.nextLong());
      var adds = new LongAdds((writer % 2 == 0 ? one : other).elements, 1 << 24);
      writers.add(Beside.run(() -> write(adds, name, own, done)));
    }
    try {
      for (var cycle = 0; cycle < CYCLES; cycle++) {
        cycle(random.nextBoolean() ? one : other, name);
      }
    } finally {
      done.complete(null);
    }
    for (var writer : writers) {
      writer.get(60, TimeUnit.SECONDS);
    }
    one.assertCountsAreExact(name);
  }

  private void cycle(TestInstance instance, FilterName name) {
    var parameters = parameters();
    var next =
        instance.openings.awaitReady(instance.openings.open(name, live -> parameters, AN_HOUR));
    var opening = openings.incrementAndGet();
    awaitAcknowledged(acknowledged.size() + random.nextInt(A_FEW));
    if (random.nextInt(3) == 0) {
      instance.rebuilds.abort(next);
    } else {
      instance.rebuilds.commit(next, 0, NewDeadline.KEEP);
      committed = opening;
      // Nobody promises anything of what was acknowledged before.
      acknowledged.removeIf(add -> add.opening < opening);
    }
    awaitAcknowledged(1 + random.nextInt(A_FEW));
    for (var add : List.copyOf(acknowledged)) {
      // A writer may tell of an earlier one late.
      if (add.opening >= committed) {
        other.assertMaybe(name, add.elements);
      }
    }
  }

  private void awaitAcknowledged(int adds) {
    Awaitility.await()
        .atMost(TestInstance.PATIENCE)
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              writers.stream()
                  .filter(CompletableFuture::isCompletedExceptionally)
                  .forEach(CompletableFuture::join);
              return acknowledged.size() >= adds;
            });
  }

  private void write(LongAdds adds, FilterName name, Random own, CompletableFuture<Void> done) {
    while (!done.isDone()) {
      var sent = new ArrayList<byte[]>();
      try (var add = adds.begin(name, Durability.PRIMARY)) {
        for (var batch = own.nextInt(MOST_BATCHES); batch >= 0; batch--) {
          var elements = elements(own);
          await(add.add(elements));
          sent.addAll(elements);
        }
        var opening = openings.get();
        add.acknowledge();
        acknowledged.add(new Acknowledged(opening, sent));
      } catch (BloomException failure) {
        if (failure.code() != ErrorCode.FILTER_CHANGED) {
          throw failure;
        }
      }
    }
  }

  private static List<byte[]> elements(Random own) {
    return IntStream.rangeClosed(0, own.nextInt(MOST_ELEMENTS))
        .mapToObj(
            i -> ByteBuffer.allocate(16).putLong(own.nextLong()).putLong(own.nextLong()).array())
        .toList();
  }

  /**
   * What one add was acknowledged.
   *
   * @param opening the last one that was known of before it was asked for
   */
  private record Acknowledged(int opening, List<byte[]> elements) {}

  private FilterParameters parameters() {
    var segments = 1 + random.nextInt(2);
    return TestInstance.shape(segments == 1 ? 4_000_000 : 2L << 24, 4);
  }
}
