package io.github.bloomgate.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.Load;
import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** Two instances of the service on a Redis that cannot serve. */
abstract class RedisFaults {

  static final String PASSWORD = "secret";

  /** Objects of periodic internal requests, such as the search for abandoned work. */
  private static final int TRACES_WITHOUT_LEAK = 12;

  private static final long BYTES_WITHOUT_LEAK = 48 << 20;

  /**
   * An instance of the service.
   *
   * @param user its Redis user
   * @param bytes its memory before any fault
   */
  record Instance(PackagedService service, String user, long bytes) {}

  static TestRedis redis;

  /** Has a long call timeout, because Redis may be slow on a busy machine. */
  static Instance patient;

  /** Has a call timeout of a second, so that calls to a hanging Redis time out. */
  static Instance hasty;

  private static volatile PackagedService underLoad;
  static Load load;
  private static AllOperations operations;

  Instance tried;

  @BeforeAll
  static void start() throws Exception {
    redis =
        TestRedis.started("--appendonly", "yes", "--appendfsync", "no", "--rdbcompression", "no");
    addUsers();
    redis.command("SADD", "source-members", "known-1", "known-2", "known-3");
    patient = started("patient");
    operations = new AllOperations(patient.service());
    hasty =
        started("hasty", "bloomgate.redis.call-timeout=1s", "bloomgate.redis.connect-timeout=1s");
    underLoad = patient.service();
    load = FaultRun.steadyLoad(() -> underLoad);
    patient = usedOnce(patient);
    hasty = usedOnce(hasty);
  }

  static Instance started(String user, String... properties) {
    return new Instance(
        PackagedService.start(
            "redis://" + user + ":" + PASSWORD + "@127.0.0.1:" + redis.port(), properties),
        user,
        0);
  }

  /** Uses the instance once, so that all classes and copies are loaded. */
  private static Instance usedOnce(Instance fresh) throws Exception {
    underLoad = fresh.service();
    load.awaitMore(50);
    assertAllServed(fresh);
    return new Instance(fresh.service(), fresh.user(), LiveObjects.of(fresh.service()).bytes());
  }

  static void addUsers() {
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
  void switchToThePatientInstance() {
    use(patient);
  }

  void use(Instance other) {
    tried = other;
    underLoad = other.service();
  }

  static void assertNoticed(List<Outcome> outcomes) {
    assertTrue(outcomes.stream().anyMatch(outcome -> !outcome.isSuccess()), "nothing happened");
  }

  /** Runs all operations during a fault and after it. */
  List<Outcome> tryOnce(Runnable begin, Runnable end, Predicate<Outcome> allowed, int readiness)
      throws Exception {
    var prepared = operations.prepareFor(tried.service());
    load.awaitMore(50);
    begin.run();
    List<Outcome> outcomes;
    try {
      outcomes = AllOperations.run(prepared);
      if (readiness != 0) {
        assertReadiness(readiness);
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
    AllOperations.assertTruth(outcomes);

    Awaitility.await().until(() -> tried.service().readiness() == 200);
    load.awaitMore(50);
    load.assertNothingLost();
    operations.clean(prepared);
    assertAllServed(tried);
    assertNoLeak();
    return outcomes;
  }

  private void assertReadiness(int expected) throws IOException {
    var ready = tried.service().send("GET", "/q/health/ready", "");
    assertEquals(expected, ready.statusCode());
    if (expected == 503) {
      var reason = Pattern.compile("\"reason\": *\"[^\"]*Redis");
      var text = PackagedService.text(ready);
      assertTrue(reason.matcher(text).find(), text);
    }
    assertEquals(expected == 200 ? 1 : 0, tried.service().metric("bloom_ready"));
  }

  void awaitNotReady() {
    Awaitility.await().until(() -> tried.service().readiness() == 503);
  }

  void awaitNoRead() {
    Awaitility.await()
        .until(() -> tried.service().send("GET", "/v1/filters?limit=1", "").statusCode() == 503);
  }

  /**
   * Asserts that all operations succeed: at once for the patient instance, after some attempts for
   * the other. No response may be wrong.
   */
  static void assertAllServed(Instance by) throws Exception {
    if (by.service() == patient.service()) {
      assertEquals(List.of(), operations.notServed(by.service()));
    } else {
      Awaitility.await().until(() -> operations.notServed(by.service()), List::isEmpty);
    }
  }

  private void assertNoLeak() {
    Awaitility.await()
        .untilAsserted(
            () -> {
              assertEquals(1, connections(), "connections to Redis");
              var live = LiveObjects.of(tried.service());
              assertTrue(live.traces() <= TRACES_WITHOUT_LEAK, live::toString);
              assertTrue(live.bytes() - tried.bytes() <= BYTES_WITHOUT_LEAK, live::toString);
            });
  }

  long connections() {
    return Pattern.compile(" user=" + tried.user() + " ")
        .matcher(redis.command("CLIENT", "LIST").toString())
        .results()
        .count();
  }
}
