package io.github.bloomgate.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.faults.Operation.Prepared;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.Beside;
import io.github.bloomgate.support.TestExtent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * While Redis cannot serve, each operation of the contract is answered with the error that is
 * documented for that, or with what is true; afterwards all is as before, without a restart.
 */
@EnabledOnOs({OS.LINUX, OS.MAC})
@Tag("faults")
class RedisFaultsIT {

  private static final String PASSWORD = "secret";
  private static final int ROUNDS = TestExtent.of("test.redis-fault-rounds", 1, 3);

  /** Objects of requests that come and go all the time, as those of looking for abandoned work. */
  private static final int TRACES_WITHOUT_LEAK = 12;

  private static final long BYTES_WITHOUT_LEAK = 48 << 20;

  private static final String FALLBACKS = "bloom_script_fallbacks_total";
  private static final String RECONNECTS = "bloom_redis_reconnects_total";

  /** What an export that has begun ends with, as it can tell no error any more. */
  private static final String BROKEN_OFF = "BROKEN_OFF";

  /** Redis did not run it, or may have. */
  private static final Predicate<Outcome> UNANSWERED =
      outcome ->
          outcome.is(503, "STORE_UNAVAILABLE")
              || outcome.is(0, BROKEN_OFF)
              || (outcome.operation().writes() && outcome.is(504, "STORE_OUTCOME_UNKNOWN"));

  /** Redis said that it did not. */
  private static final Predicate<Outcome> REFUSED = outcome -> outcome.is(503, "STORE_UNAVAILABLE");

  private static final Predicate<Outcome> ANSWERED = Outcome::isSuccess;

  /**
   * An instance of the service.
   *
   * @param user as whom it speaks to Redis
   * @param bytes what it holds in memory before anything fails
   */
  private record Instance(PackagedService service, String user, long bytes) {}

  private static TestRedis redis;

  /** Waits longer for Redis than a busy machine may let it. */
  private static Instance patient;

  /** Waits a second, so that calls to a Redis that hangs run out of time. */
  private static Instance hasty;

  private static volatile PackagedService underLoad;
  private static SteadyLoad load;
  private static byte[] file;
  private static int names;

  private Instance tried;

  @BeforeAll
  static void start() throws Exception {
    redis =
        TestRedis.started("--appendonly", "yes", "--appendfsync", "no", "--rdbcompression", "no");
    addUsers();
    redis.command("SADD", "source-members", "known-1", "known-2", "known-3");
    patient = started("patient");
    hasty =
        started("hasty", "bloomgate.redis.call-timeout=1s", "bloomgate.redis.connect-timeout=1s");
    underLoad = patient.service();
    load = SteadyLoad.on(() -> underLoad, "steady");
    patient = usedOnce(patient);
    hasty = usedOnce(hasty);
  }

  private static Instance started(String user, String... properties) {
    return new Instance(
        PackagedService.start(
            "redis://" + user + ":" + PASSWORD + "@127.0.0.1:" + redis.port(), properties),
        user,
        0);
  }

  /** So that all classes are loaded and what is held near is there. */
  private static Instance usedOnce(Instance fresh) throws Exception {
    underLoad = fresh.service();
    load.awaitMore(50);
    assertAllServed(fresh);
    return new Instance(fresh.service(), fresh.user(), LiveObjects.of(fresh.service()).bytes());
  }

  private static void addUsers() {
    for (var user : List.of("patient", "hasty")) {
      redis.command("ACL", "SETUSER", user, "on", ">" + PASSWORD, "~*", "+@all");
    }
  }

  @AfterAll
  static void stop() {
    underLoad = patient.service();
    load.end();
    load.assertNothingOfAllLost();
    patient.service().close();
    hasty.service().close();
    redis.close();
  }

  @BeforeEach
  void tryThePatientOne() {
    use(patient);
  }

  private void use(Instance other) {
    tried = other;
    underLoad = other.service();
  }

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
    load.mayBeFull(true);
    assertNoticed(
        tryAll(
            () -> redis.command("CONFIG", "SET", "maxmemory", "1"),
            () -> redis.command("CONFIG", "SET", "maxmemory", "0"),
            outcome ->
                outcome.isSuccess()
                    || (outcome.operation().writes() && outcome.is(507, "STORE_FULL")),
            0));
    load.mayBeFull(false);
  }

  @Test
  void aReplica() throws Exception {
    tryAll(
        () -> redis.command("REPLICAOF", "127.0.0.1", "1"),
        () -> redis.command("REPLICAOF", "NO", "ONE"),
        outcome -> (outcome.isSuccess() && !outcome.operation().writes()) || REFUSED.test(outcome),
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
        REFUSED,
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
    return outcome.operation() == Operation.OVERVIEW && outcome.isSuccess();
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
    // While it loads it looks at its clients after each two megabytes.
    redis.command("DEBUG", "POPULATE", "2500", "ballast", "10000");
    tryAll(
        () -> {
          // 25 seconds, of which a few are needed where nothing stalls.
          redis.command("CONFIG", "SET", "key-load-delay", "10000");
          var unused = Beside.run(() -> redis.command("DEBUG", "RELOAD"));
          Awaitility.await()
              .atMost(FaultRun.PATIENCE)
              .until(() -> redis.info("persistence", "loading") == 1);
        },
        () -> {
          Awaitility.await()
              .atMost(FaultRun.PATIENCE)
              .until(() -> redis.info("persistence", "loading") == 0);
          redis.command("CONFIG", "SET", "key-load-delay", "0");
        },
        UNANSWERED,
        503);
    redis.command(
        "EVAL",
        "for i = 0, 2499 do redis.call('DEL', 'ballast:' .. i) end return redis.status_reply('OK')",
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

  /** A command again and again. */
  private static Repeated repeated(String command, String... arguments) {
    return new Repeated(command, arguments);
  }

  private static final class Repeated {
    private final String command;
    private final String[] arguments;
    private volatile boolean over;
    private CompletableFuture<Void> loop;

    private Repeated(String command, String... arguments) {
      this.command = command;
      this.arguments = arguments;
    }

    private void begin() {
      over = false;
      loop =
          Beside.run(
              () -> {
                while (!over) {
                  redis.command(command, arguments);
                }
              });
    }

    private void end() {
      over = true;
      loop.join();
    }
  }

  private void tryAll(Repeated fault, Predicate<Outcome> allowed, int readiness) throws Exception {
    tryAll(fault::begin, fault::end, allowed, readiness);
  }

  /**
   * Runs all operations during a fault and after it.
   *
   * @param allowed the answers during the fault
   * @param readiness its status during the fault, 0 for any
   * @return the answers of the last time
   */
  private List<Outcome> tryAll(
      Runnable begin, Runnable end, Predicate<Outcome> allowed, int readiness) throws Exception {
    var last = List.<Outcome>of();
    for (var round = 0; round < ROUNDS; round++) {
      last = tryOnce(begin, end, allowed, readiness);
    }
    return last;
  }

  private static void assertNoticed(List<Outcome> outcomes) {
    assertTrue(outcomes.stream().anyMatch(outcome -> !outcome.isSuccess()), "nothing happened");
  }

  private List<Outcome> tryOnce(
      Runnable begin, Runnable end, Predicate<Outcome> allowed, int readiness) throws Exception {
    var prepared = prepareAll(tried);
    load.awaitMore(50);
    begin.run();
    List<Outcome> outcomes;
    try {
      outcomes = runAll(prepared);
      if (readiness != 0) {
        assertEquals(readiness, tried.service().readiness());
      }
      assertEquals(200, tried.service().send("GET", "/q/health/live", "").statusCode());
    } finally {
      end.run();
    }
    var wrong =
        outcomes.stream()
            .filter(
                outcome ->
                    !(outcome.operation().usesRedis()
                        ? allowed.test(outcome)
                        : outcome.isSuccess()))
            .toList();
    assertEquals(List.of(), wrong);
    assertTruth(outcomes);

    Awaitility.await().atMost(FaultRun.PATIENCE).until(() -> tried.service().readiness() == 200);
    load.awaitMore(50);
    load.assertNothingLost();
    clean(prepared);
    assertAllServed(tried);
    assertNoLeak();
    return outcomes;
  }

  private void awaitNotReady() {
    Awaitility.await().atMost(FaultRun.PATIENCE).until(() -> tried.service().readiness() == 503);
  }

  /** What is to be done by one instance; another one, which has the patience, makes it ready. */
  private static List<Prepared> prepareAll(Instance by) {
    var service = patient.service();
    if (file == null) {
      service.done("PUT", "/v1/filters/exported", Shapes.ONE);
      try {
        file = service.send("GET", "/v1/filters/exported/export", "").body();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    var prepared = new CopyOnWriteArrayList<Prepared>();
    atOnce(
        Shapes.ALL.stream()
            .flatMap(
                shape ->
                    Operation.all()
                        .map(
                            operation -> {
                              var name = "filter-" + names++;
                              return () ->
                                  prepared.add(
                                      operation
                                          .prepare(service, name, shape, file)
                                          .at(by.service()));
                            })));
    return prepared;
  }

  private static void atOnce(Stream<Runnable> tasks) {
    tasks.map(Beside::run).toList().forEach(CompletableFuture::join);
  }

  /** All at once: some take as long as Redis may take for an answer. */
  private static List<Outcome> runAll(List<Prepared> prepared) throws Exception {
    var running = prepared.stream().map(Prepared::run).toList();
    var outcomes = new ArrayList<Outcome>();
    for (var i = 0; i < running.size(); i++) {
      outcomes.add(outcome(prepared.get(i).operation(), running.get(i)));
    }
    return outcomes;
  }

  private static Outcome outcome(Operation operation, CompletableFuture<Outcome> running)
      throws Exception {
    try {
      return running.get(2 * FaultRun.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException failure) {
      if (operation == Operation.EXPORT && failure.getCause() instanceof IOException) {
        return new Outcome(operation, 0, BROKEN_OFF, "");
      }
      throw failure;
    }
  }

  /** All at once by one that has the patience; else in the end, each time without an untruth. */
  private static void assertAllServed(Instance by) throws Exception {
    if (by.service() == patient.service()) {
      assertEquals(List.of(), notServed(by));
    } else {
      Awaitility.await().atMost(FaultRun.PATIENCE).until(() -> notServed(by), List::isEmpty);
    }
  }

  private static List<Outcome> notServed(Instance by) throws Exception {
    var prepared = prepareAll(by);
    var outcomes = runAll(prepared);
    assertTruth(outcomes);
    clean(prepared);
    return outcomes.stream().filter(ANSWERED.negate()).toList();
  }

  /** No answer that is no error denies what is there. */
  private static void assertTruth(List<Outcome> outcomes) {
    assertEquals(
        List.of(),
        outcomes.stream()
            .filter(
                outcome ->
                    outcome.isSuccess()
                        && !outcome.operation().isTrue(outcome.status(), outcome.body()))
            .toList());
  }

  private static void clean(List<Prepared> prepared) {
    atOnce(prepared.stream().map(one -> one.at(patient.service())::clean));
  }

  private void assertNoLeak() {
    Awaitility.await()
        .atMost(FaultRun.PATIENCE)
        .untilAsserted(
            () -> {
              assertEquals(1, connections(), "connections to Redis");
              var live = LiveObjects.of(tried.service());
              assertTrue(live.traces() <= TRACES_WITHOUT_LEAK, live::toString);
              assertTrue(live.bytes() - tried.bytes() <= BYTES_WITHOUT_LEAK, live::toString);
            });
  }

  private long connections() {
    return Pattern.compile(" user=" + tried.user() + " ")
        .matcher(redis.command("CLIENT", "LIST").toString())
        .results()
        .count();
  }
}
