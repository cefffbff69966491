package io.github.bloomgate.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.rebuild.Client;
import io.github.bloomgate.redis.StepLink;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.redis.TestRedis;
import io.smallrye.mutiny.Uni;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** An instance of the service without HTTP, on its own link. */
public final class TestInstance extends CheckedInstance implements AutoCloseable {

  public static final Duration MAX_WAIT = Duration.ofMinutes(2);

  /** A client that never disconnects. */
  public static final Client STAYS = () -> false;

  /** Two segments of 1 MiB. */
  public static final FilterParameters SEVERAL = shape((1L << 24) + 128, 7);

  public TestInstance(TestRedis redis) {
    this(redis, Clock.systemUTC());
  }

  public TestInstance(TestRedis redis, Clock clock) {
    this(redis, settings(redis, clock));
  }

  public TestInstance(TestRedis redis, Clock clock, BloomgateConfig.Sources sources) {
    this(redis, settings(redis, clock).withSources(sources));
  }

  private TestInstance(TestRedis redis, InstanceSettings settings) {
    super(redis, settings);
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

  public static FilterName name() {
    return new FilterName("n" + UUID.randomUUID());
  }

  public static FilterParameters shape(long bitSize, int numHashFunctions) {
    return FilterParameters.forShape(
        HashSchemes.nativeScheme(), bitSize, numHashFunctions, WhenFull.ACCEPT);
  }

  public static FilterParameters sized(long n, double p, WhenFull whenFull) {
    return FilterParameters.forElements(HashSchemes.nativeScheme(), n, p, whenFull);
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
    return begun
        .handle(
            (done, thrown) ->
                Optional.ofNullable(thrown).map(failed -> (BloomException) failed.getCause()))
        .join();
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
    return result.await().atMost(MAX_WAIT);
  }

  public static void assertFails(ErrorCode code, Uni<?> result) {
    assertFails(code, () -> await(result));
  }

  public static void assertFails(
      ErrorCode code, org.junit.jupiter.api.function.Executable operation) {
    var failure = assertThrows(BloomException.class, operation);
    assertEquals(code, failure.code(), failure.getMessage());
  }

  public Filter create(FilterName name, FilterParameters parameters) {
    return create(name, parameters, Optional.empty());
  }

  public Filter create(FilterName name, FilterParameters parameters, Optional<Instant> deadline) {
    var outcome = creations.create(name, parameters, deadline, Quota.NONE);
    assertTrue(outcome.created());
    return outcome.description().filter();
  }

  /** Opens a rebuild with the same parameters. */
  public static Filter openNext(TestInstance instance, FilterName name) {
    return instance.rebuilds.open(name, parameters -> parameters, MAX_WAIT).next();
  }

  public boolean[] add(FilterName name, List<byte[]> some) {
    return await(elements.add(name, some)).flags();
  }

  public boolean[] remove(FilterName name, List<byte[]> some) {
    return await(elements.remove(name, some, Durability.PRIMARY)).flags();
  }

  public byte[] count(FilterName name, List<byte[]> some) {
    return await(elements.count(name, some));
  }

  public boolean[] test(FilterName name, List<byte[]> some) {
    return await(elements.test(name, some)).flags();
  }

  public void assertMaybe(FilterName name, List<byte[]> some) {
    assertEquals(some.size(), await(elements.test(name, some)).trueCount(), "maybe");
  }

  public double count(String metric) {
    return metrics.get(metric).counter().count();
  }

  @Override
  public void close() {
    closeServices();
  }
}
