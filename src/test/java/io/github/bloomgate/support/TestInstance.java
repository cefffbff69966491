package io.github.bloomgate.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.filters.Description;
import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.hash.BitCount;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.Counting;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.Plain;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.rebuild.Rebuild;
import io.github.bloomgate.redis.StepLink;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.Keys;
import io.github.bloomgate.threads.Await;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Response;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** An instance of the service without HTTP, on its own link, with assertions of the promises. */
public final class TestInstance extends InstanceServices implements AutoCloseable {

  /** Longer than any test, for timeouts that must not expire. */
  public static final Duration MAX_WAIT = Duration.ofMinutes(2);

  /** Two segments of 1 MiB. */
  public static final FilterParameters SEVERAL = shape((1L << 24) + 128, 7);

  /** Expiries in tests are hours in the future and hours apart, so no delay matters. */
  private static final long TOLERANCE = Duration.ofMinutes(10).toMillis();

  /** The Redis of the instance, or a node of its cluster. */
  private final TestRedis redis;

  public TestInstance(TestRedis redis) {
    this(redis, Clock.systemUTC());
  }

  public TestInstance(TestRedis redis, Clock clock) {
    this(redis, settings(redis, clock));
  }

  public TestInstance(TestRedis redis, BloomgateConfig.Sources sources) {
    this(redis, settings(redis).withSources(sources));
  }

  private TestInstance(TestRedis redis, InstanceSettings settings) {
    super(settings);
    this.redis = redis;
  }

  private static InstanceSettings settings(TestRedis redis, Clock clock) {
    return new InstanceSettings(new TestLink(redis.options()), clock);
  }

  private static InstanceSettings settings(TestRedis redis) {
    return settings(redis, Clock.systemUTC());
  }

  /** An instance with secrets. The first is for new filters. */
  public static TestInstance withSecrets(TestRedis redis, String... secrets) {
    return new TestInstance(redis, settings(redis).withSecrets(HashSecrets.of(secrets)));
  }

  /** An instance without copies, which adds and tests bit by bit. */
  public static TestInstance withoutCopies(TestRedis redis) {
    return new TestInstance(redis, settings(redis).withoutCopying());
  }

  /** An instance that does everything on the test's thread, under the control of {@link #steps}. */
  public static TestInstance stepwise(TestRedis redis) {
    var settings = new InstanceSettings(TestLink.stepwise(redis.options()), Clock.systemUTC());
    return new TestInstance(redis, settings);
  }

  /** The link of an instance created by {@link #stepwise}. */
  public StepLink steps() {
    return (StepLink) link.link();
  }

  /** An expiry in some hours. Redis has milliseconds. */
  public static Optional<Instant> inHours(int hours) {
    return Optional.of(Instant.now().truncatedTo(ChronoUnit.MILLIS).plus(hours, ChronoUnit.HOURS));
  }

  public static FilterName name() {
    return new FilterName("n" + UUID.randomUUID());
  }

  public static FilterParameters shape(long bitSize, int numHashFunctions) {
    return FilterParameters.forShape(
        HashSchemes.nativeScheme(), bitSize, numHashFunctions, WhenFull.ACCEPT);
  }

  public static FilterParameters sized(long n, double p, WhenFull whenFull) {
    return new Plain(whenFull).parameters(HashSchemes.nativeScheme(), n, p);
  }

  /** A counting filter with a rate so low that any wrong answer is a bug. */
  public static FilterParameters counting(long n) {
    return counting(n, 1e-10, WhenFull.ACCEPT);
  }

  public static FilterParameters counting(long n, double p, WhenFull whenFull) {
    return new Counting(whenFull).parameters(HashSchemes.nativeScheme(), n, p);
  }

  public static List<byte[]> elements(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> element(prefix + i)).toList();
  }

  public static byte[] element(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Starts a blocking operation on a new thread. */
  public CompletableFuture<Void> begin(Runnable operation) {
    return CompletableFuture.runAsync(operation, waiting);
  }

  /** Why the operation failed, once it is done; empty if it succeeded. */
  public static Optional<BloomException> failureOf(CompletableFuture<?> begun) {
    return InParallel.resultOf(
        begun.handle(
            (done, thrown) ->
                Optional.ofNullable(thrown).map(failed -> (BloomException) failed.getCause())));
  }

  /** Executes and answers up to this number of requests. */
  public void go(int requests) {
    for (var i = 0; i < requests && steps().canExecute(); i++) {
      steps().execute();
      steps().answer();
      threads.awaitIdle();
    }
  }

  public static <T> T await(Uni<T> result) {
    return result.await().atMost(InParallel.MAX_WAIT);
  }

  public Generation create(FilterName name, FilterParameters parameters) {
    return create(name, parameters, Optional.empty());
  }

  public Generation create(FilterName name, FilterParameters parameters, Optional<Instant> expiry) {
    var outcome = creations.create(name, parameters, NewExpiry.of(expiry), Quota.NONE);
    assertTrue(outcome.created());
    return outcome.description().live();
  }

  /** Opens a rebuild with the same parameters. */
  public static Generation openNext(TestInstance instance, FilterName name) {
    return instance.rebuilds.open(name, parameters -> parameters, MAX_WAIT).next();
  }

  /** The open rebuild of a filter. */
  public Rebuild rebuild(FilterName name) {
    // Waits without a time limit, because StepThreads recognizes only such waits.
    return Await.await(rebuilds.find(name, Optional.empty()));
  }

  public boolean[] add(FilterName name, List<byte[]> some) {
    return await(elements.add(name, some)).flags();
  }

  public boolean[] remove(FilterName name, List<byte[]> some) {
    return await(elements.remove(name, some, Durability.PRIMARY, Client.SERVICE)).flags();
  }

  public byte[] count(FilterName name, List<byte[]> some) {
    return await(elements.count(name, some, Client.SERVICE));
  }

  public boolean[] test(FilterName name, List<byte[]> some) {
    return await(elements.test(name, some, Client.SERVICE)).flags();
  }

  public static int trueCount(boolean[] flags) {
    var count = 0;
    for (var flag : flags) {
      count += flag ? 1 : 0;
    }
    return count;
  }

  public void assertMaybe(FilterName name, List<byte[]> some) {
    assertEquals(
        some.size(), await(elements.test(name, some, Client.SERVICE)).trueCount(), "maybe");
  }

  public double count(String metric, String... tags) {
    return metrics.get(metric).tags(tags).counter().count();
  }

  public Description describe(FilterName name) {
    return descriptions.describe(name, Client.SERVICE);
  }

  public boolean exists(FilterName name) {
    return redis("EXISTS", Keys.state(name)).toInteger() == 1;
  }

  /** Whether Redis answers requests for a filter. Throws if it does not. */
  public boolean answers(FilterName name) {
    var unused = await(get(FilterStore.class).find(name, false, List.of()));
    return true;
  }

  public void fold() {
    await(rounds.restAll());
  }

  /** Promise 4: the counts match the bitmaps with their journals. */
  public void assertCountsAreExact(FilterName name) {
    var description = describe(name);
    var filter = description.live();
    if (filter.storedContent().uncounted().isPresent()) {
      return;
    }
    var bits = 0L;
    for (var layer : filter.plan().layers()) {
      var format = layer.format();
      for (var i = layer.firstSegment(); i < layer.endSegment(); i++) {
        var string = redis("GET", segmentKey(filter, i));
        if (string != null) {
          var bitmap = SegmentCopy.read(format, string.toBytes()).bitmap();
          var places = filter.isCounting() ? Counting.toBits(bitmap) : bitmap;
          bits += BitCount.of(places, 0, places.length);
        }
      }
    }
    if (!(filter.kind() instanceof Window)) {
      assertEquals(bits, description.statistics().bitsSet());
    }
  }

  public static String segmentKey(Generation filter, int segment) {
    return Keys.segment(filter.content(), segment);
  }

  /** Promise 6: all keys of a filter share one expiry, or have none. */
  public void assertExpiry(FilterName name, Optional<Instant> expected) {
    var filter = describe(name).live();
    assertEquals(expected, filter.expiresAt());
    var keys = new ArrayList<>(keysWith(filter.content().incarnation()));
    keys.add(Keys.state(name));
    for (var key : keys) {
      var left = redis("PTTL", key).toLong();
      if (expected.isEmpty()) {
        assertEquals(-1, left, key);
      } else {
        var off = System.currentTimeMillis() + left - expected.get().toEpochMilli();
        assertTrue(left >= 0 && Math.abs(off) < TOLERANCE, key + " has " + left + " ms left");
      }
    }
  }

  /** Expires a filter by deleting all its keys with an expiry. */
  public void passExpiry(Generation... generations) {
    for (var filter : generations) {
      var keys = new ArrayList<>(keysWith(filter.name().value() + "}"));
      keys.addAll(keysWith(filter.content().incarnation()));
      for (var key : keys) {
        if (redis("PTTL", key).toLong() >= 0) {
          redis("PEXPIREAT", key, "1");
        }
      }
    }
  }

  /** Keys whose names contain a text, except dropped content, which expires. */
  public List<String> keysWith(String text) {
    var found = new ArrayList<String>();
    var cursor = "0";
    do {
      var page = redis("SCAN", cursor, "MATCH", "*" + text + "*", "COUNT", "1000");
      cursor = page.get(0).toString();
      for (var key : page.get(1)) {
        if (!isDropped(key.toString()) && redis("EXISTS", key.toString()).toInteger() == 1) {
          found.add(key.toString());
        }
      }
    } while (!cursor.equals("0"));
    return found;
  }

  private boolean isDropped(String key) {
    var left = redis("PTTL", key).toLong();
    return left > 0 && left <= 60_000;
  }

  /** Promise 6: nothing of the filter is left. */
  public void assertNothingLeft(Generation filter) {
    var incarnation = filter.content().incarnation();
    assertEquals(List.of(), keysWith(incarnation), "segments of " + filter.name());
    assertEquals(List.of(), keysWith(filter.name().value()), "keys of " + filter.name());
    assertEquals(null, redis("ZSCORE", "bloom:{=names}", filter.name().value()));
  }

  public Response redis(String command, String... arguments) {
    return redis.command(command, arguments);
  }

  @Override
  public void close() {
    closeServices();
  }
}
