package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.element;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.support.InParallel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Redis keys that are sources are read completely. */
class SourceReadingTest extends SourcesOnRedis {

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 999, 1000, 1001, 5000})
  void aSetIsReadWhole(int count) {
    assertReadsWhole(count, key -> redis("SADD", key, texts("e", count)));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 999, 1000, 1001, 5000})
  void aSortedSetIsReadWholeWithoutItsScores(int count) {
    var name =
        assertReadsWhole(
            count,
            key -> {
              var arguments = new ArrayList<String>();
              texts("e", count).forEach(text -> arguments.addAll(List.of("7777", text)));
              redis("ZADD", key, arguments);
            });
    assertFalse(one.test(name, List.of(element("7777")))[0]);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 999, 1000, 1001, 1999, 2000, 2001, 5000})
  void aListIsReadWhole(int count) {
    assertReadsWhole(count, key -> redis("RPUSH", key, texts("e", count)));
  }

  @Test
  void stableMembersOfASetAreReadDuringChanges() throws Exception {
    var name = name();
    one.create(name, SMALL);
    var key = "busy-" + name;
    redis("SADD", key, texts("stays", 6000));
    attach(name, new Origin.RedisKey(key), BY_HAND);
    var done = new AtomicBoolean();
    var others =
        InParallel.run(
            () -> {
              while (!done.get()) {
                redis("SADD", key, texts("passes", 3000));
                redis("SREM", key, texts("passes", 3000));
              }
            });
    for (var round = 0; round < 5; round++) {
      run(one, name);
      one.assertMaybe(name, elements("stays", 6000));
    }
    done.set(true);
    others.join();
  }

  private static FilterName assertReadsWhole(int count, Fill fill) {
    var name = name();
    one.create(name, SMALL);
    one.add(name, elements("old", 10));
    var key = "source-of-" + name;
    fill.fill(key);
    attach(name, new Origin.RedisKey(key), BY_HAND);

    run(one, name);

    one.assertMaybe(name, elements("e", count));
    var lastRun = lastRun(name);
    assertEquals(Optional.empty(), lastRun.failure());
    assertEquals(count, lastRun.elements());
    assertEquals(2, one.describe(name).filter().generation());
    assertEquals(0, await(one.elements.test(name, elements("old", 10))).trueCount());
    one.assertCountsAreExact(name);
    return name;
  }

  private interface Fill {
    void fill(String key);
  }
}
