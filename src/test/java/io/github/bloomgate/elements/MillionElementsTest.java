package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.TestInstance;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Promises 1, 3 and 4 at full load: a million elements through the service. */
class MillionElementsTest {

  private static final int ELEMENTS = 1_000_000;
  private static final double PROBABILITY = 0.01;

  @Test
  void aMillionElementsAreKeptAtThePromisedRate() {
    try (var redis = TestRedis.started();
        var service = new TestInstance(redis)) {
      var name = name();
      service.create(name, TestInstance.sized(ELEMENTS, PROBABILITY, WhenFull.ACCEPT));
      var seed = System.nanoTime();
      System.out.println("aMillionElementsAreKeptAtThePromisedRate: seed " + seed);

      var added = count("member " + seed, batch -> service.elements.add(name, batch));
      assertEquals(
          ELEMENTS,
          count("member " + seed, batch -> service.elements.test(name, batch, Client.SERVICE)),
          "maybe");
      var wrong =
          count("absent " + seed, batch -> service.elements.test(name, batch, Client.SERVICE));
      assertTrue(wrong <= 1.1 * PROBABILITY * ELEMENTS, wrong + " false positives");
      assertTrue(wrong > 0, "a filter at full load has false positives");

      var statistics = service.describe(name).statistics();
      service.assertCountsAreExact(name);
      assertEquals(added, statistics.insertions());
      assertEquals(0.5, statistics.fillRatio(), 0.02);
      assertEquals(
          ELEMENTS, (double) statistics.approximateElementCount().orElseThrow(), 0.01 * ELEMENTS);
      assertEquals(PROBABILITY, statistics.estimatedFalsePositiveProbability(), 0.1 * PROBABILITY);
    }
  }

  /** Counts the true answers for a million elements, in requests of the maximum size. */
  private static long count(String prefix, Function<List<byte[]>, Uni<Flags>> request) {
    var batches = ELEMENTS / ElementService.MAX_ELEMENTS;
    return await(
        Multi.createFrom()
            .range(0, batches)
            .onItem()
            .transformToUni(
                batch ->
                    request.apply(
                        elements(prefix + " " + batch + " ", ElementService.MAX_ELEMENTS)))
            .merge(4)
            .map(answers -> (long) answers.trueCount())
            .collect()
            .in(() -> new long[1], (sum, more) -> sum[0] += more)
            .map(sum -> sum[0]));
  }
}
