package io.github.bloomgate.redis;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.error.SeveralSlotsException;
import io.github.bloomgate.threads.OwnContext;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.impl.ZModem;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs scripts by digest, or by their full text if Redis does not know the digest.
 *
 * <p>Each call is atomic in Redis. Sending the text also caches it on the node that owns the keys,
 * so this works the same with a single Redis, Sentinel and Cluster. Thread-safe.
 */
@Singleton
public class ScriptRunner {
  private final RedisLink link;
  private final Map<Script, Timer> timers = new EnumMap<>(Script.class);
  private final Counter fallbacks;
  private volatile boolean isProxied;

  @Inject
  ScriptRunner(RedisLink link, MeterRegistry registry) {
    this.link = link;
    for (var script : Script.values()) {
      timers.put(
          script,
          Timer.builder("bloom.script")
              .description("Seconds from a script call to its reply.")
              .tag("script", script.fileName())
              .register(registry));
    }
    fallbacks =
        Counter.builder("bloom.script.fallbacks")
            .description("Number of script calls that had to send the full text.")
            .register(registry);
  }

  /**
   * Whether the keys of several filters may be in different slots of a cluster. Behind a proxy, the
   * first call that is refused is the only sign of one.
   */
  public boolean isSpread() {
    return isProxied || link.isCluster();
  }

  /** Whether a script can use both keys: false in a cluster if their slots differ. */
  public boolean isOneSlot(String one, String other) {
    return !link.isCluster() || ZModem.generate(one) == ZModem.generate(other);
  }

  /**
   * Runs a script on each subscription.
   *
   * <p>The reply is delivered as by {@link RedisLink#send}. Fails as that does, or with {@code
   * INTERNAL} if the reply does not start with a status word, or with {@link SeveralSlotsException}
   * if no node of a cluster has all keys. A call that sends the full text may take twice the call
   * timeout.
   *
   * @param effect what the script does with these arguments
   * @param keys the script's keys, at least one, all in one cluster slot
   * @param arguments adds the arguments to a request; binary-safe. Called again, maybe on another
   *     thread, to send the full text, so it must add the same arguments
   */
  public Uni<ScriptReply> run(
      Script script, Effect effect, List<String> keys, Consumer<Request> arguments) {
    return Uni.createFrom()
        .deferred(() -> runForMany(script, effect, keys, arguments).emitOn(OwnContext.here()));
  }

  /** Runs a script that may change content, and blocks until its reply. */
  public ScriptReply call(Script script, List<String> keys, Consumer<Request> arguments) {
    return await(runForMany(script, Effect.WRITE, keys, arguments));
  }

  /**
   * Like {@link #run}, for a script whose reply answers several callers. It is always delivered on
   * the link's event loop, so that no caller waits for the context of another.
   */
  public Uni<ScriptReply> runForMany(
      Script script, Effect effect, List<String> keys, Consumer<Request> arguments) {
    Timer timer = timers.get(script);
    return Uni.createFrom()
        .deferred(
            () -> {
              long start = System.nanoTime();
              return link.exchange(
                      request(Command.EVALSHA, script.digest(), keys, arguments), effect)
                  .onFailure(ScriptMissing.class)
                  .recoverWithUni(
                      () -> {
                        fallbacks.increment();
                        return link.exchange(
                            request(Command.EVAL, script.text(), keys, arguments), effect);
                      })
                  .onFailure(ScriptMissing.class)
                  .transform(
                      e -> RequestErrors.internal("Redis does not accept the text of " + script, e))
                  .onFailure(SeveralSlotsException.class)
                  .invoke(() -> isProxied = true)
                  .onTermination()
                  .invoke(() -> timer.record(System.nanoTime() - start, TimeUnit.NANOSECONDS))
                  .map(reply -> new ScriptReply(script, reply.response(), reply.replicas()));
            });
  }

  private static Request request(
      Command command, String script, List<String> keys, Consumer<Request> arguments) {
    Request request = Request.cmd(command).arg(script).arg(keys.size());
    keys.forEach(request::arg);
    arguments.accept(request);
    return request;
  }
}
