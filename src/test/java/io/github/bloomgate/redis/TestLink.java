package io.github.bloomgate.redis;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.support.InParallel;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/** A link of one test on its own Vert.x, with shorthands for calls. */
public final class TestLink implements AutoCloseable {

  private static final Map<String, Script> SCRIPTS = byDigestAndLine(Script.values());

  static final Duration MAX_WAIT = Duration.ofMinutes(2);

  /** Longer than any machine stalls, for tests that must not time out. */
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private final Vertx vertx;
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final AtomicInteger optionsTaken = new AtomicInteger();
  private final RedisLink link;

  public TestLink(RedisOptions options) {
    this(options, TIMEOUT);
  }

  public TestLink(RedisOptions options, Duration timeout) {
    vertx = Vertx.vertx();
    link =
        new RedisLink(
            vertx,
            () -> {
              optionsTaken.incrementAndGet();
              return options;
            },
            new Settings(timeout, timeout, Duration.ofMillis(100)),
            registry);
  }

  private TestLink(Vertx vertx, RedisLink link) {
    this.vertx = vertx;
    this.link = link;
  }

  /** A link on which the test decides when requests and replies are passed on. */
  public static TestLink stepwise(RedisOptions options) {
    var vertx = Vertx.vertx();
    return new TestLink(
        vertx,
        new StepLink(
            vertx, options, new Settings(MAX_WAIT, MAX_WAIT, MAX_WAIT), new SimpleMeterRegistry()));
  }

  public RedisLink link() {
    return link;
  }

  /** A runner of scripts over this link, which does not know yet which scripts Redis has. */
  public ScriptRunner scripts() {
    return new ScriptRunner(link, new SimpleMeterRegistry());
  }

  /** The script that EVAL or EVALSHA with this first argument runs. */
  public static Script scriptOf(String digestOrText) {
    return SCRIPTS.get(digestOrText.lines().findFirst().orElseThrow());
  }

  /** Scripts by digest and by first line, because Redis reports only the start of a long text. */
  private static Map<String, Script> byDigestAndLine(Script... all) {
    var scripts = new HashMap<String, Script>();
    for (var script : all) {
      scripts.put(script.digest(), script);
      scripts.put(script.text().lines().findFirst().orElseThrow(), script);
    }
    return scripts;
  }

  Vertx vertx() {
    return vertx;
  }

  public SimpleMeterRegistry registry() {
    return registry;
  }

  Uni<Response> read(String command, String... arguments) {
    return link.send(request(command, arguments), Effect.READ);
  }

  Uni<Response> write(String command, String... arguments) {
    return link.send(request(command, arguments), Effect.WRITE);
  }

  double reconnects() {
    return registry.get("bloom.redis.reconnects").counter().count();
  }

  double timeouts() {
    return registry.get("bloom.redis.timeouts").counter().count();
  }

  double connected() {
    return registry.get("bloom.redis.connected").gauge().value();
  }

  /** Waits for a number of attempts to connect, without requests. */
  void awaitAttempts(int attempts) {
    int before = optionsTaken.get();
    Awaitility.await().until(() -> optionsTaken.get() >= before + attempts);
  }

  void awaitService() {
    Awaitility.await()
        .ignoreException(BloomException.class)
        .until(() -> "PONG".equals(await(read("PING")).toString()));
  }

  public static <T> T await(Uni<T> sent) {
    return sent.await().atMost(InParallel.MAX_WAIT);
  }

  static Request request(String command, String... arguments) {
    Request request = Request.cmd(Command.create(command));
    for (String argument : arguments) {
      request.arg(argument);
    }
    return request;
  }

  @Override
  public void close() {
    link.close();
    InParallel.resultOf(vertx.close().toCompletionStage());
  }

  private record Settings(Duration callTimeout, Duration connectTimeout, Duration reconnectBackoff)
      implements BloomgateConfig.Redis {
    @Override
    public int replicas() {
      return 1;
    }

    @Override
    public Duration replicationTimeout() {
      return Duration.ofMillis(500);
    }
  }
}
