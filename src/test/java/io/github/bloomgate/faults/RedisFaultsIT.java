package io.github.bloomgate.faults;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.TestExtent;
import java.util.List;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * While Redis cannot serve, each operation of the contract returns the documented error or a
 * correct response. Afterwards everything works again without a restart.
 */
@EnabledOnOs({OS.LINUX, OS.MAC})
@Tag("faults")
class RedisFaultsIT extends RedisFaults {

  private static final int ROUNDS = TestExtent.of("test.redis-fault-rounds", 1, 3);
  private static final String RECONNECTS = "bloom_redis_reconnects_total";
  private static final String FALLBACKS = "bloom_script_fallbacks_total{script=\"find\",}";

  /**
   * Redis did not run the operation, or its outcome is unknown: also when Redis was left because of
   * its role and its reply took more than a moment.
   */
  private static final Predicate<Outcome> UNANSWERED =
      outcome ->
          outcome.is(503, "STORE_UNAVAILABLE")
              || outcome.is(0, AllOperations.BROKEN_OFF)
              || (outcome.operation().writes() && outcome.is(504, "STORE_OUTCOME_UNKNOWN"));

  /** Redis refused the operation. */
  private static final Predicate<Outcome> REFUSED = outcome -> outcome.is(503, "STORE_UNAVAILABLE");

  private static final Predicate<Outcome> ANSWERED = Outcome::isSuccess;

  @Test
  void stopped() throws Exception {
    use(hasty);
    tryAll(redis::freeze, redis::thaw, UNANSWERED, 503);
  }

  @Test
  void slow() throws Exception {
    use(hasty);
    var sleeping = repeated("DEBUG", "SLEEP", "4");
    assertNoticed(
        tryAll(
            () -> {
              sleeping.begin();
              awaitNotReady();
            },
            sleeping::end,
            UNANSWERED.or(ANSWERED),
            0));
  }

  @Test
  void gone() throws Exception {
    tryAll(
        redis::kill,
        () -> {
          redis.start();
          addUsers();
        },
        UNANSWERED,
        503);
  }

  @Test
  void full() throws Exception {
    load.allow("STORE_FULL", true);
    assertNoticed(
        tryAll(
            () -> redis.command("CONFIG", "SET", "maxmemory", "1"),
            () -> redis.command("CONFIG", "SET", "maxmemory", "0"),
            outcome ->
                outcome.isSuccess()
                    || (outcome.operation().writes() && outcome.is(507, "STORE_FULL")),
            0));
    load.allow("STORE_FULL", false);
  }

  @Test
  void aReplica() throws Exception {
    tryAll(
        () -> {
          redis.command("REPLICAOF", "127.0.0.1", "1");
          // Readiness writes, which a replica refuses at once. Reads are refused when the role was
          // asked for, which may have happened just before.
          awaitNoRead();
        },
        () -> redis.command("REPLICAOF", "NO", "ONE"),
        UNANSWERED,
        503);
  }

  @Test
  void aReplicaThatLostItsPrimary() throws Exception {
    tryAll(
        () -> {
          redis.command("CONFIG", "SET", "replica-serve-stale-data", "no");
          redis.command("REPLICAOF", "127.0.0.1", "1");
        },
        () -> {
          redis.command("REPLICAOF", "NO", "ONE");
          redis.command("CONFIG", "SET", "replica-serve-stale-data", "yes");
        },
        UNANSWERED,
        503);
  }

  @Test
  void aWrongPassword() throws Exception {
    tryAll(
        () -> {
          redis.command("ACL", "SETUSER", tried.user(), "resetpass", ">another");
          redis.command("CLIENT", "KILL", "USER", tried.user());
          awaitNotReady();
        },
        () -> redis.command("ACL", "SETUSER", tried.user(), "resetpass", ">" + PASSWORD),
        UNANSWERED,
        503);
  }

  @Test
  void aCommandIsForbidden() throws Exception {
    tryAll(
        () -> redis.command("ACL", "SETUSER", tried.user(), "-evalsha"),
        () -> redis.command("ACL", "SETUSER", tried.user(), "+evalsha"),
        REFUSED.or(RedisFaultsIT::isWithoutScript),
        503);
  }

  private static boolean isWithoutScript(Outcome outcome) {
    return outcome.operation().isOf("describeService") && outcome.isSuccess();
  }

  @Test
  void aCommandIsForbiddenToScripts() throws Exception {
    assertNoticed(
        tryAll(
            () -> redis.command("ACL", "SETUSER", tried.user(), "-hmget"),
            () -> redis.command("ACL", "SETUSER", tried.user(), "+hmget"),
            REFUSED.or(ANSWERED),
            0));
  }

  @Test
  void loading() throws Exception {
    // While it loads, Redis serves clients only after every two megabytes, which takes 200 ms here.
    // It may then read as little as 64 kB of the megabytes that the operations send.
    redis.command("DEBUG", "POPULATE", "20000", "ballast", "10000");
    tryAll(
        () -> {
          // Loading takes 20 seconds, and the operations usually need a few of them.
          redis.command("CONFIG", "SET", "key-load-delay", "1000");
          var unused = InParallel.run(() -> redis.command("DEBUG", "RELOAD"));
          Awaitility.await().until(() -> redis.info("persistence", "loading") == 1);
        },
        () -> {
          Awaitility.await().until(() -> redis.info("persistence", "loading") == 0);
          redis.command("CONFIG", "SET", "key-load-delay", "0");
        },
        UNANSWERED,
        503);
    redis.command(
        "EVAL",
        "for i = 0, 19999 do redis.call('DEL', 'ballast:' .. i) end return redis.status_reply('OK')",
        "0");
  }

  @Test
  void scriptsForgotten() throws Exception {
    var before = tried.service().metric(FALLBACKS);
    tryAll(repeated("SCRIPT", "FLUSH"), ANSWERED, 200);
    assertTrue(tried.service().metric(FALLBACKS) > before, "no script was missing");
  }

  @Test
  void connectionsKilled() throws Exception {
    var before = tried.service().metric(RECONNECTS);
    tryAll(repeated("CLIENT", "KILL", "USER", tried.user()), UNANSWERED.or(ANSWERED), 0);
    assertTrue(tried.service().metric(RECONNECTS) > before, "no connection was lost");
  }

  private static RepeatedCommand repeated(String command, String... arguments) {
    return new RepeatedCommand(redis, command, arguments);
  }

  private void tryAll(RepeatedCommand fault, Predicate<Outcome> allowed, int readiness)
      throws Exception {
    tryAll(fault::begin, fault::end, allowed, readiness);
  }

  /**
   * Runs all operations during a fault and after it.
   *
   * @param allowed the allowed outcomes during the fault
   * @param readiness the readiness status during the fault, 0 for any
   * @return the outcomes of the last run
   */
  private List<Outcome> tryAll(
      Runnable begin, Runnable end, Predicate<Outcome> allowed, int readiness) throws Exception {
    var last = List.<Outcome>of();
    for (var round = 0; round < ROUNDS; round++) {
      last = tryOnce(begin, end, allowed, readiness);
    }
    return last;
  }
}
