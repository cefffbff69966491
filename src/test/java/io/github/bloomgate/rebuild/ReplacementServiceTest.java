package io.github.bloomgate.rebuild;

import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.filters.Reconciler;
import io.github.bloomgate.filters.SegmentMaking;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.StoreErrors;
import io.github.bloomgate.rebuild.ReplacementService.Load;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.Intents.Intent;
import io.github.bloomgate.support.TestInstance;
import io.quarkus.runtime.ShutdownEvent;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of a filter when the replacement of its content fails half-way. */
class ReplacementServiceTest {

  private static final List<byte[]> OLD = elements("old ", 100);
  private static final List<byte[]> NEW = elements("new ", 100);

  private TestRedis redis;
  private TestInstance service;
  private ReplacementService replacements;

  @BeforeEach
  void start() {
    redis = TestRedis.started();
    service = new TestInstance(redis);
    replacements = new ReplacementService(service.openings, service.rebuilds);
  }

  @AfterEach
  void stop() {
    service.close();
    redis.close();
  }

  static List<FilterParameters> shapes() {
    return List.of(TestInstance.shape(64_000, 5), TestInstance.SEVERAL);
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void whatBreaksTheLoadLeavesTheContentAndNoRebuild(FilterParameters shape) {
    var name = filled(shape);
    assertThrows(
        IOException.class,
        () ->
            replace(
                name,
                next -> {
                  await(service.loads.load(next, NEW));
                  throw new IOException("The client is gone");
                }));
    assertUnchanged(name);
    service.assertReconciled(name);
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void aShutdownAbortsWhatIsBeingLoaded(FilterParameters shape) {
    var name = filled(shape);
    var failure =
        assertThrows(
            BloomException.class,
            () ->
                replace(
                    name,
                    next -> {
                      await(service.loads.load(next, NEW));
                      replacements.stop(new ShutdownEvent());
                      await(service.loads.load(next, NEW));
                    }));
    assertEquals(ErrorCode.REBUILD_NOT_FOUND, failure.code());
    assertUnchanged(name);
    service.assertReconciled(name);
  }

  @Test
  @Tag("slow")
  void aRedisThatWasAwayWhenTheLoadFailedIsTidiedUpOnceItIsBack() {
    var name = filled(TestInstance.SEVERAL);
    try (var impatient = TestInstance.impatient(redis, Duration.ofSeconds(10))) {
      var failure =
          assertThrows(
              BloomException.class,
              () ->
                  new ReplacementService(impatient.openings, impatient.rebuilds)
                      .replace(
                          name,
                          same -> same,
                          next -> {
                            redis.freeze();
                            await(impatient.loads.load(next, NEW));
                          },
                          1,
                          () -> NewDeadline.KEEP,
                          Quota.NONE));
      assertEquals(ErrorCode.STORE_OUTCOME_UNKNOWN, failure.code());
      redis.thaw();
      Awaitility.await()
          .atMost(TestInstance.PATIENCE)
          .ignoreExceptions()
          .untilAsserted(
              () -> assertFails(ErrorCode.REBUILD_NOT_FOUND, () -> service.rebuilds.find(name)));
    }
    assertUnchanged(name);
  }

  @Test
  void whatFailsAfterTheStepThatCountsIsNoFailureOfTheCommit() {
    var name = filled(TestInstance.SEVERAL);
    var next = service.openings.open(name, same -> same, Duration.ofHours(1));
    await(service.loads.load(next, NEW));
    withoutReconciling().commit(next, 1, NewDeadline.KEEP);
    var committed = service.describe(name);
    assertEquals(2, committed.filter().generation().number());
    service.assertMaybe(name, NEW);
    assertEquals(0, await(service.elements.test(name, OLD)).trueCount());
    // The segments that were live are still there, and noted to be freed.
    var later = Clock.offset(Clock.systemUTC(), Duration.ofMinutes(1));
    try (var sweeper = new TestInstance(redis, later)) {
      sweeper.reconciler.reconcileAbandoned();
    }
    service.assertReconciled(name);
    assertEquals(4, service.keysWith("/").size(), "state and bits of two later segments");
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void anOpeningWhoseAnswerIsLostLeavesNoRebuild(FilterParameters shape) {
    var name = filled(shape);
    var opening = openingWithoutAnswer();
    assertFails(
        ErrorCode.STORE_OUTCOME_UNKNOWN,
        () -> opening.open(name, same -> same, Duration.ofHours(1)));
    assertUnchanged(name);
    service.assertReconciled(name);
  }

  /** As if Redis were lost right after it had opened a rebuild. */
  private RebuildOpening openingWithoutAnswer() {
    var making =
        new SegmentMaking(service.reconciler) {
          @Override
          public void make(Filter filter, Intent intent, Runnable discard) {
            throw StoreErrors.outcomeUnknown("Lost", null);
          }
        };
    return new RebuildOpening(
        service.rebuilds,
        service.stores.filters(),
        service.stores.rebuilds(),
        service.reconciler,
        making,
        new NextParameters(HashSecrets.of(), Clock.systemUTC()),
        service.capacity(0, 0));
  }

  /** As if Redis were lost right after the commit. */
  private RebuildService withoutReconciling() {
    var stores = service.stores;
    var reconciler =
        new Reconciler(
            stores.filters(),
            stores.laterSegments(),
            service.births,
            stores.rebuilds(),
            stores.moves(),
            stores.intents(),
            Clock.systemUTC()) {
          @Override
          public void reconcile(Intent intent) {
            throw StoreErrors.unavailable("Lost", null);
          }
        };
    return new RebuildService(
        service.live,
        service.nextGenerations,
        stores.rebuilds(),
        stores.catalogue(),
        reconciler,
        stores.usage());
  }

  private void replace(FilterName name, Load load) throws IOException {
    replacements.replace(name, same -> same, load, 1, () -> NewDeadline.KEEP, Quota.NONE);
  }

  private FilterName filled(FilterParameters shape) {
    var name = service.create(name(), shape).name();
    service.add(name, OLD);
    return name;
  }

  private void assertUnchanged(FilterName name) {
    assertFails(ErrorCode.REBUILD_NOT_FOUND, () -> service.rebuilds.find(name));
    assertEquals(1, service.describe(name).filter().generation().number());
    service.assertMaybe(name, OLD);
    assertEquals(0, await(service.elements.test(name, NEW)).trueCount());
  }
}
