package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.journal.Added;
import io.github.bloomgate.journal.Blocks;
import io.github.bloomgate.journal.Marks;
import io.github.bloomgate.journal.SegmentCopy;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.redis.TestRedis;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Counters are the same, however they are raised and lowered: by copies, journals and scripts. */
class CounterScriptsTest {

  private static final int K = 3;
  private static final int COUNTERS = 512;
  private static final long MOST = 60;

  private static TestRedis redis;
  private static TestLink link;
  private static TestStores stores;

  private final Marks marks = new Marks();

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    link = new TestLink(redis.options());
    stores = TestStores.over(link);
  }

  @AfterAll
  static void stop() {
    link.close();
    redis.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"ACCEPT", "REJECT"})
  void scriptsAndCopiesComeToTheSame(WhenFull whenFull) {
    var seed = System.nanoTime();
    System.out.printf("counters: seed %d%n", seed);
    var random = new Random(seed);
    var journaled = create(whenFull);
    var written = create(whenFull);
    var copy = follow(journaled);
    for (var round = 0; round < 150; round++) {
      var told = "seed " + seed + " round " + round;
      var count = random.nextInt(1, 12);
      var removes = random.nextInt(5) < 2;
      var range = random.nextInt(4) == 0 ? 5 : COUNTERS;
      var positions = random.ints((long) count * K, 0, range).toArray();
      var flags = new boolean[count];
      var done = count;
      var blocks = journal(journaled, copy, positions, removes);
      for (var i = 0; i < count; i++) {
        if (removes) {
          flags[i] = copy.content().remove(positions, K * i);
          continue;
        }
        var added = done < count ? Added.REFUSED : copy.content().add(positions, K * i);
        flags[i] = added == Added.NEW;
        done = added == Added.REFUSED ? Math.min(done, i) : done;
      }
      copy.journaled(blocks.length(), blocks.mark());
      var batch =
          new SegmentBatch(
              0,
              IntStream.range(0, count).toArray(),
              Arrays.stream(positions).asLongStream().toArray());
      if (removes) {
        var reply = TestLink.await(stores.elements().remove(written, batch, Durability.PRIMARY));
        assertArrayEquals(flags, reply.flags(), told);
      } else {
        var reply = TestLink.await(stores.elements().add(written, batch, Durability.PRIMARY));
        assertArrayEquals(Arrays.copyOf(flags, done), reply.flags(), told);
        assertEquals(done < count, reply.isFull(), told);
      }
      assertSame(written, follow(written), copy, told);
      if (random.nextInt(4) == 0 || round % 20 == 19) {
        var drops = round % 20 == 19 || random.nextBoolean();
        TestLink.await(stores.journals().replay(journaled, 0, drops));
        assertSame(journaled, follow(journaled), copy, told);
      }
      assertLooked(written, copy, batch, positions, told);
    }
    TestLink.await(stores.journals().replay(journaled, 0, true));
    assertArrayEquals(
        follow(written).snapshot(), follow(journaled).snapshot(), "seed " + seed + " at the end");
  }

  private static void assertSame(Filter filter, SegmentCopy read, SegmentCopy copy, String told) {
    assertArrayEquals(copy.snapshot(), read.snapshot(), told);
    assertEquals(copy.counts(), read.counts(), told);
    assertEquals(copy.counts(), TestLink.await(stores.segments().count(filter, 0)), told);
  }

  private static void assertLooked(
      Filter filter, SegmentCopy copy, SegmentBatch batch, int[] positions, String told) {
    var counts = TestLink.await(stores.elements().multiplicity(filter, batch)).counts();
    var maybe = TestLink.await(stores.elements().test(filter, batch)).flags();
    for (var i = 0; i < counts.length; i++) {
      assertEquals(copy.content().count(positions, K * i), counts[i], told);
      assertEquals(counts[i] > 0, maybe[i], told);
    }
  }

  private Blocks journal(Filter filter, SegmentCopy copy, int[] positions, boolean removes) {
    var blocks = Blocks.of(copy, marks);
    for (var from = 0; from < positions.length; from += K) {
      if (removes) {
        blocks.remove(positions, from);
      } else {
        blocks.add(positions, from);
      }
    }
    var reply =
        TestLink.await(
            stores.advances().advance(filter, 0, copy, blocks.bytes(), true, Durability.PRIMARY));
    assertEquals(AdvanceReply.Outcome.OK, reply.outcome());
    return blocks;
  }

  private static SegmentCopy follow(Filter filter) {
    return TestLink.await(stores.journals().follow(filter, 0)).orElseThrow();
  }

  private static Filter create(WhenFull whenFull) {
    var parameters =
        new FilterParameters(
            HashSchemes.nativeScheme(),
            MOST,
            0.01,
            new FilterShape(1, 4L * COUNTERS, K),
            whenFull,
            Optional.empty(),
            Optional.empty(),
            true);
    var filter =
        Filter.create(
            ScriptBench.name(),
            parameters,
            Instant.ofEpochMilli(1_700_000_000_000L),
            Optional.empty());
    assertTrue(stores.filters().create(filter));
    return filter;
  }
}
