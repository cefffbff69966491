package io.github.bloomgate.store;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.SeveralSlotsException;
import io.github.bloomgate.redis.CallerContext;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptReply;
import io.github.bloomgate.redis.ScriptRunner;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Request;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Runs scripts on filters, as {@link ScriptRunner} does. Where a filter is on its way to another
 * slot of a cluster its scripts change nothing and answer nothing; then the call waits until the
 * move has ended, ends it itself if nobody goes on with it, and is made again.
 *
 * <p>Fails with FILTER_NOT_READY if that takes too long.
 */
@Singleton
class FilterScripts {

  /** Longer than a move may stand still before anybody ends it. */
  private static final Duration PATIENCE = Duration.ofSeconds(6);

  private static final long FIRST_PAUSE_MILLIS = 5;
  private static final long LONGEST_PAUSE_MILLIS = 160;

  private final ScriptRunner scripts;
  private final MoveEnds ends;
  private final long maxWaitNanos;
  private volatile boolean isSpread;

  @Inject
  FilterScripts(ScriptRunner scripts) {
    this(scripts, PATIENCE);
  }

  FilterScripts(ScriptRunner scripts, Duration patience) {
    this.maxWaitNanos = patience.toNanos();
    this.scripts = scripts;
    this.ends = new MoveEnds(scripts);
    this.isSpread = scripts.isSpread();
  }

  /** Whether keys of several segments or filters may be in several slots of a cluster. */
  boolean isSpread() {
    return isSpread;
  }

  /**
   * Learns from the failure of a call on several of them that they are, which is not known before
   * behind a proxy; then what is done with each alone takes its place.
   */
  <T> Uni<T> unlessSpread(Uni<T> call, Supplier<Uni<T>> alone) {
    return call.onFailure(SeveralSlotsException.class)
        .recoverWithUni(
            () -> {
              isSpread = true;
              return alone.get();
            });
  }

  Uni<ScriptReply> run(Script script, List<String> keys, Consumer<Request> arguments) {
    return unlessMoving(scripts.run(script, keys, arguments));
  }

  /** Runs a script on a thread that may wait, and waits for its reply. */
  ScriptReply call(Script script, List<String> keys, Consumer<Request> arguments) {
    return await(run(script, keys, arguments));
  }

  Uni<ScriptReply> runForMany(Script script, List<String> keys, Consumer<Request> arguments) {
    return unlessMoving(scripts.runForMany(script, keys, arguments));
  }

  Uni<ScriptReply> runForMany(
      Script script, Effect effect, List<String> keys, Consumer<Request> arguments) {
    return unlessMoving(scripts.runForMany(script, effect, keys, arguments));
  }

  Uni<ScriptReply> runReplicated(Script script, List<String> keys, Consumer<Request> arguments) {
    return unlessMoving(scripts.runReplicated(script, keys, arguments));
  }

  Uni<ScriptReply> runReplicatedForMany(
      Script script, List<String> keys, Consumer<Request> arguments) {
    return unlessMoving(scripts.runReplicatedForMany(script, keys, arguments));
  }

  private Uni<ScriptReply> unlessMoving(Uni<ScriptReply> call) {
    return call.chain(
        reply ->
            isMoving(reply)
                ? again(
                    call,
                    reply,
                    // This one was delivered where the caller gets its results.
                    CallerContext.current(),
                    System.nanoTime() + maxWaitNanos,
                    FIRST_PAUSE_MILLIS)
                : Uni.createFrom().item(reply));
  }

  private Uni<ScriptReply> again(
      Uni<ScriptReply> call,
      ScriptReply moving,
      CallerContext caller,
      long deadline,
      long pauseMillis) {
    var move = Move.of(moving);
    return ends.end(move, false)
        .chain(
            ended -> {
              if (System.nanoTime() - deadline >= 0) {
                throw FilterErrors.moving(move.from());
              }
              return ended.isPresent() ? call : pause(caller, pauseMillis).chain(() -> call);
            })
        .chain(
            reply ->
                isMoving(reply)
                    ? again(
                        call,
                        reply,
                        caller,
                        deadline,
                        Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS))
                    : Uni.createFrom().item(reply));
  }

  private static Uni<Void> pause(CallerContext caller, long millis) {
    return Uni.createFrom()
        .voidItem()
        .onItem()
        .delayIt()
        .by(Duration.ofMillis(millis))
        .emitOn(caller::deliver);
  }

  private static boolean isMoving(ScriptReply reply) {
    return reply.status().equals("MOVING");
  }
}
