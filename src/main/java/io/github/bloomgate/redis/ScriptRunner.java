package io.github.bloomgate.redis;

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
import java.util.Map;
import java.util.concurrent.TimeUnit;

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
  private final Map<Script, Counter> fallbacks = new EnumMap<>(Script.class);
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
      fallbacks.put(
          script,
          Counter.builder("bloom.script.fallbacks")
              .description("Number of script calls that had to send the full text.")
              .tag("script", script.fileName())
              .register(registry));
    }
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
   * Sends a call on each subscription.
   *
   * <p>The reply is delivered as by {@link RedisLink#send}. Fails as that does, or with {@code
   * INTERNAL} if the reply does not start with a status word, or with {@link SeveralSlotsException}
   * if no node of a cluster has all keys. A call that sends the full text may take twice the call
   * timeout.
   */
  public Uni<ScriptReply> send(ScriptCall call) {
    return Uni.createFrom()
        .deferred(
            () -> {
              long start = System.nanoTime();
              Script script = call.script();
              return exchange(Command.EVALSHA, script.digest(), call)
                  .onFailure(LinkFailure.ScriptMissing.class)
                  .recoverWithUni(
                      () -> {
                        fallbacks.get(script).increment();
                        return exchange(Command.EVAL, script.text(), call);
                      })
                  .onFailure(LinkFailure.ScriptMissing.class)
                  .transform(
                      e -> RequestErrors.internal("Redis does not accept the text of " + script, e))
                  .onFailure(SeveralSlotsException.class)
                  .invoke(() -> isProxied = true)
                  .onTermination()
                  .invoke(
                      () ->
                          timers
                              .get(script)
                              .record(System.nanoTime() - start, TimeUnit.NANOSECONDS))
                  .map(reply -> new ScriptReply(script, reply.response(), reply.replicas()))
                  .emitOn(OwnContext.here());
            });
  }

  private Uni<Reply> exchange(Command command, String script, ScriptCall call) {
    Request request = Request.cmd(command).arg(script).arg(call.keys().size());
    call.keys().forEach(request::arg);
    call.arguments().putInto(request);
    return link.exchange(request, call.effect());
  }
}
