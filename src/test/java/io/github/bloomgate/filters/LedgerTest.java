package io.github.bloomgate.filters;

import static io.github.bloomgate.support.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.rebuild.Rebuild;
import io.github.bloomgate.rebuild.Rebuilds;
import io.github.bloomgate.store.ChangeReply;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.NameReply;
import io.github.bloomgate.store.NameStore;
import io.github.bloomgate.store.NameStore.Usage;
import io.github.bloomgate.store.RemovedFilter;
import io.github.bloomgate.support.InParallel;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The counts in the catalogue, including parallel creates and dead instances. */
@QuarkusTest
class LedgerTest {

  private static final int AT_ONCE = 24;
  private static final int BYTES = 1024;
  private static final FilterParameters SMALL =
      FilterParameters.forShape(HashSchemes.nativeScheme(), 8 * BYTES, 5, WhenFull.ACCEPT);

  @Inject NameStore store;
  @Inject LiveFilters live;
  @Inject CreationService creations;
  @Inject FilterService filters;
  @Inject FilterStore filterStore;
  @Inject RenameService renames;
  @Inject Rebuilds rebuilds;
  @Inject DescriptionService descriptions;

  private final String owner = "owner-" + UUID.randomUUID();

  private static FilterName name() {
    return new FilterName("ledger-" + UUID.randomUUID());
  }

  private Quota quota(long maxFilters, long maxBytes) {
    return new Quota(owner, maxFilters, maxBytes);
  }

  private Ledger ledger(Duration grace) {
    return new Ledger(store, live, its -> quota(0, 3 * BYTES), grace, Quota.NONE);
  }

  private boolean create(FilterName name, Quota quota) {
    return creations.create(name, SMALL, NewExpiry.NONE, quota).created();
  }

  private Generation created(FilterName name) {
    assertTrue(create(name, quota(0, 0)));
    return live.get(name).live();
  }

  private Rebuild openNew(FilterName name, Quota quota) {
    return rebuilds.openNew(name, FilterPlan.of(SMALL), Duration.ofHours(1), quota);
  }

  private static void assertRefused(Runnable call) {
    assertFails(ErrorCode.LIMIT_EXCEEDED, call::run);
  }

  private Generation unborn(Generation like) {
    return Generation.of(name(), like.plan(), like.adoptedKey(), like.state());
  }

  private boolean isListed(FilterName name) {
    return store.count(List.of(name.value())) == 1;
  }

  private String bytes(FilterName name) {
    return store.entries(List.of(name)).get(0).split(" ")[0];
  }

  private int createdAtOnce(Quota quota) {
    var created = new AtomicInteger();
    var refused = new AtomicInteger();
    InParallel.atOnce(
        AT_ONCE,
        number -> {
          try {
            create(name(), quota);
            created.incrementAndGet();
          } catch (BloomException failure) {
            assertEquals(ErrorCode.LIMIT_EXCEEDED, failure.code());
            refused.incrementAndGet();
          }
        });
    assertEquals(AT_ONCE, created.get() + refused.get());
    return created.get();
  }

  /**
   * Otherwise, the first owner could create another filter before the catalogue counts this one for
   * it again.
   */
  @Test
  void aNameThatAnotherOwnerIsCreatingKeepsItsReservation() {
    var filter = unborn(created(name()));
    var other = new Usage(filter.name(), filter.sizeBytes(), "another " + owner, Optional.empty());
    var reserved =
        assertInstanceOf(
            NameReply.Done.class,
            store.reserve("", other, Duration.ofMinutes(1), Quota.NONE, Quota.NONE));
    assertFails(
        ErrorCode.FILTER_CHANGED, () -> ledger(Duration.ofMinutes(1)).enter(filter, quota(0, 0)));
    assertEquals(reserved.entry(), store.entries(List.of(filter.name())).get(0));
    store.leave(filter.name(), reserved.entry(), false);
    assertTrue(ledger(Duration.ofMinutes(1)).enter(filter, quota(0, 0)).isPresent());
  }

  @Test
  void parallelCreatesStopAtTheFilterQuota() {
    assertEquals(5, createdAtOnce(quota(5, 0)));
  }

  @Test
  void parallelCreatesStopAtTheByteQuota() {
    assertEquals(3, createdAtOnce(quota(0, 4 * BYTES - 1)));
  }

  @Test
  void anExpiredFilterMakesRoom() {
    var soon = Instant.now().plusMillis(100);
    assertTrue(creations.create(name(), SMALL, NewExpiry.at(soon), quota(1, 0)).created());
    Awaitility.await()
        .ignoreExceptionsInstanceOf(BloomException.class)
        .until(() -> create(name(), quota(1, 0)));
  }

  @Test
  void anInstanceThatDiesBeforeItCreatesMakesRoom() {
    var like = created(name());
    var unborn = unborn(like);
    assertTrue(ledger(Duration.ofMinutes(1)).enter(unborn, quota(2, 0)).isPresent());
    var patient = unborn(like);
    assertRefused(() -> ledger(Duration.ofMinutes(1)).enter(patient, quota(2, 0)));

    var entry = ledger(Duration.ZERO).entry(unborn.name());
    store.reserve(entry, usage(unborn, BYTES), Duration.ZERO, Quota.NONE, Quota.NONE);

    assertTrue(ledger(Duration.ZERO).enter(patient, quota(2, 0)).isPresent());
    assertFalse(isListed(unborn.name()));
    assertTrue(isListed(like.name()));
  }

  private static Usage usage(Generation filter, long bytes) {
    return new Usage(filter.name(), bytes, filter.state().owner(), Optional.empty());
  }

  @Test
  void entriesOfADeadInstanceAreCorrected() {
    var filter = created(name());
    store.reserve(NameStore.ANY, usage(filter, 3 * BYTES), Duration.ZERO, Quota.NONE, Quota.NONE);
    assertEquals("3072", bytes(filter.name()));

    assertTrue(create(name(), quota(0, 2 * BYTES)));
    assertEquals("1024", bytes(filter.name()));
    assertRefused(() -> create(name(), quota(0, 2 * BYTES)));
  }

  @Test
  void growthIsLimitedByTheOwnersQuota() {
    var filter = created(name());
    var ledger = ledger(Duration.ofMinutes(1));
    assertEquals("3072", bytesWhileEnlarged(ledger, filter, 3 * BYTES));
    assertEquals("1024", bytes(filter.name()));
    assertRefused(() -> bytesWhileEnlarged(ledger, filter, 3 * BYTES + 1));
    assertEquals("1024", bytes(filter.name()));
  }

  private String bytesWhileEnlarged(Ledger ledger, Generation filter, long bytes) {
    var entry = ledger.enlarge(filter, bytes, Ledger.NO_LAYER);
    var held = bytes(filter.name());
    ledger.settle(filter.name(), entry, Optional.empty());
    return held;
  }

  @Test
  void noReservationStaysForAFilterThatWasDeleted() {
    var filter = created(name());
    filters.delete(filter.name(), false);
    var ledger = ledger(Duration.ofMinutes(1));
    assertEquals("2048", bytesWhileEnlarged(ledger, filter, 2 * BYTES));
    assertFalse(isListed(filter.name()));
  }

  @Test
  void noReservationStaysForTheNewNameOfAFilterThatWasDeleted() {
    var found = live.get(created(name()).name());
    var name = found.live().name();
    var removed = RemovedFilter.of(found.live().state(), Optional.empty());
    assertInstanceOf(ChangeReply.Done.class, filterStore.delete(name, removed, Optional.empty()));
    var newName = name();
    assertFails(ErrorCode.FILTER_NOT_FOUND, () -> renames.rename(name, newName, false));
    assertFalse(isListed(newName));
    assertFalse(isListed(name));
  }

  /**
   * Several instances add layers to a filter in parallel. The quota must have room for the largest,
   * in any order.
   */
  @Test
  void parallelEnlargementsAllSucceedAndTheLargestCounts() {
    var filter = created(name());
    InParallel.atOnce(AT_ONCE, i -> enlargeRepeatedly(filter, i));
    var ledger = ledger(Duration.ZERO);
    ledger.confirm(filter.name());
    assertEquals("3072", bytes(filter.name()));
    ledger.settle(filter.name(), Optional.of(ledger.entry(filter.name())), Optional.empty());
    assertEquals("1024", bytes(filter.name()));
  }

  /** Another instance lists the filter while the layer is being added. */
  @Test
  void aListKeepsTheReservationOfALayer() {
    var filter = created(name());
    var ledger = ledger(Duration.ofMinutes(1));
    var entry = ledger.enlarge(filter, 3 * BYTES, Ledger.NO_LAYER);
    ledger(Duration.ZERO).check(List.of(filter));
    assertEquals("3072", bytes(filter.name()));
    ledger.settle(filter.name(), entry, Optional.empty());
    assertEquals("1024", bytes(filter.name()));
  }

  /** The filter gets another expiry while the layer is being added. */
  @Test
  void anotherChangeKeepsTheReservationOfALayer() {
    var filter = created(name());
    var ledger = ledger(Duration.ofMinutes(1));
    var entry = ledger.enlarge(filter, 3 * BYTES, Ledger.NO_LAYER);
    var ofAnotherInstance = ledger(Duration.ZERO);
    ofAnotherInstance.confirm(filter.name());
    var changed =
        new ChangedFilter(filter.name(), Optional.of(live.get(filter.name())), 0, List.of());
    for (var some : List.of(ledger, ofAnotherInstance)) {
      some.confirm(changed, some.remembered(filter.name()));
      assertEquals("3072", bytes(filter.name()));
    }
    ledger.settle(filter.name(), entry, Optional.empty());
    assertEquals("1024", bytes(filter.name()));
  }

  private void enlargeRepeatedly(Generation filter, int thread) {
    for (var i = 0; i < 50; i++) {
      var usage = usage(filter, (1L + (thread + i) % 3) * BYTES);
      assertInstanceOf(
          NameReply.Done.class,
          store.reserve(
              NameStore.ANY,
              usage,
              Duration.ofMinutes(1),
              new Quota("", 0, 3 * BYTES),
              Quota.NONE));
    }
  }

  /** Another instance found no filter, and removed the name only after the filter was created. */
  @Test
  void aNameThatWasRemovedTooEarlyIsEnteredAgain() {
    var filter = created(name());
    var ledger = ledger(Duration.ZERO);
    var text = ledger.entry(filter.name());
    store.leave(filter.name(), text, false);
    assertFalse(isListed(filter.name()));
    var now = Optional.of(live.get(filter.name()));
    ledger.settle(filter.name(), Optional.of(text), now);
    assertTrue(isListed(filter.name()));
    assertEquals("1024", bytes(filter.name()));
  }

  /** The filter was created again before the deleted filter's name was removed. */
  @Test
  void aNameThatWasCreatedAgainIsNotRemoved() {
    var filter = created(name());
    var ledger = ledger(Duration.ZERO);
    var seen = ledger.entry(filter.name());
    filters.delete(filter.name(), false);
    created(filter.name());
    ledger.leave(filter.name(), seen);
    assertTrue(isListed(filter.name()));
    assertEquals("1024", bytes(filter.name()));
  }

  /** Loading takes longer than the reservation, and another filter gets its share. */
  @Test
  void aSlowLoadIsRefusedIfItsShareIsGone() {
    var loaded = name();
    try (var rebuild = openNew(loaded, quota(1, 0))) {
      var seen = ledger(Duration.ZERO).entry(loaded);
      var usage = usage(rebuild.next(), BYTES);
      store.reserve(seen, usage, Duration.ZERO, Quota.NONE, Quota.NONE);
      assertTrue(create(name(), quota(1, 0)));
      assertRefused(() -> rebuild.commit(0, NewExpiry.NONE));
    }
    assertFalse(isListed(loaded));
  }

  @Test
  void aFailedLoadReleasesItsShare() {
    var loaded = name();
    openNew(loaded, quota(1, 0)).close();
    assertFalse(isListed(loaded));
    assertTrue(create(name(), quota(1, 0)));
  }

  /** The filter was created between the check of the quota and the commit. */
  @Test
  void anotherFilterWithTheNameOfALoadedOneCountsForItsOwner() {
    var loaded = name();
    var other = name();
    assertTrue(create(other, Quota.NONE));
    try (var rebuild = openNew(loaded, quota(1, 0))) {
      filterStore.create(loaded, live.get(other).live().state());
      assertFails(ErrorCode.REBUILD_NOT_FOUND, () -> rebuild.commit(0, NewExpiry.NONE));
    }
    assertTrue(create(name(), quota(1, 0)));
  }

  @Test
  void aRefusedOpeningTakesNoShare() {
    var loaded = name();
    var two = quota(2, 0);
    try (var rebuild = openNew(loaded, two)) {
      assertFails(ErrorCode.REBUILD_IN_PROGRESS, () -> openNew(loaded, two));
      assertTrue(create(name(), two));
      rebuild.commit(0, NewExpiry.NONE);
    }
    assertTrue(isListed(loaded));
    assertRefused(() -> create(name(), two));
  }

  /**
   * Two instances create a filter with the same name. One is refused, and the other's filter still
   * counts.
   */
  @Test
  void parallelCreatesOfOneNameCountOnce() {
    var name = name();
    InParallel.atOnce(AT_ONCE, i -> create(name, quota(1, 0)));
    assertRefused(() -> create(name(), quota(1, 0)));
    filters.delete(name, false);
    assertTrue(create(name(), quota(1, 0)));
  }

  /**
   * Another instance has created the filter since the check of the quota, but not entered it yet.
   */
  @Test
  void aLateCreateReleasesItsShare() {
    var name = name();
    var other = name();
    assertTrue(create(other, Quota.NONE));
    filterStore.create(name, live.get(other).live().state());
    assertFalse(create(name, quota(1, 0)));
    assertTrue(create(name(), quota(1, 0)));
  }

  @Test
  void aRenamedFilterCountsOnce() {
    var name = name();
    var newName = name();
    assertTrue(create(name, quota(1, 0)));
    renames.rename(name, newName, false);
    assertTrue(isListed(newName));
    assertEquals("1024", bytes(newName));
    filters.delete(newName, false);
    ledger(Duration.ZERO).confirm(name);
    assertFalse(isListed(name));
    assertTrue(create(name(), quota(1, 0)));
  }

  /** The rename has not removed the old name yet. */
  @Test
  void theOldNameOfARenamedFilterMakesNoRoom() {
    var filter = live.get(created(name()).name());
    var name = filter.live().name();
    var newName = name();
    created(name());
    assertTrue(ledger(Duration.ZERO).rename(filter, newName, false).isPresent());
    var version = filter.live().state().version();
    assertInstanceOf(
        ChangeReply.Done.class,
        filterStore.rename(name, newName, version, false, List.of(), RemovedFilter.NONE));
    live.forget(name);
    assertRefused(() -> create(name, quota(2, 0)));
    assertRefused(() -> create(name, quota(0, 3 * BYTES - 1)));
    assertTrue(create(name, quota(3, 3 * BYTES)));
  }

  @Test
  void theNewNameOfAFilterMakesNoRoomBeforeItIsRenamed() {
    var filter = live.get(created(name()).name());
    var newName = name();
    created(name());
    assertTrue(ledger(Duration.ofMinutes(1)).rename(filter, newName, false).isPresent());
    assertRefused(() -> create(newName, quota(2, 0)));
    assertRefused(() -> create(newName, quota(0, 3 * BYTES - 1)));
    assertTrue(create(newName, quota(3, 3 * BYTES)));
  }

  /** The name was reserved for the other filter, and would count for its owner. */
  @Test
  void aFilterWhoseNameAnotherReservedStillCountsForItsOwner() {
    var taken = created(name()).name();
    var other = name();
    assertTrue(create(other, Quota.NONE));
    assertFails(ErrorCode.FILTER_EXISTS, () -> renames.rename(other, taken, false));
    assertRefused(() -> create(name(), quota(1, 0)));
    filters.delete(other, false);
    filters.delete(taken, false);
    assertTrue(create(name(), quota(1, 0)));
  }

  @Test
  void aRenameThatIsRefusedMakesNoRoomForTheOwnerOfTheName() {
    var taken = created(name()).name();
    var other = name();
    assertTrue(create(other, Quota.NONE));
    var isOver = new AtomicBoolean();
    var renaming =
        InParallel.run(
            () -> {
              while (!isOver.get()) {
                assertThrows(BloomException.class, () -> renames.rename(other, taken, false));
              }
            });
    try {
      for (var i = 0; i < 100; i++) {
        assertRefused(() -> create(name(), quota(1, 0)));
      }
    } finally {
      isOver.set(true);
      InParallel.resultOf(renaming);
    }
  }

  @Test
  void aListCorrectsWrongEntries() {
    var filter = created(name());
    var text = ledger(Duration.ZERO).entry(filter.name());
    store.confirm(text, usage(filter, 7), false);
    descriptions.list(List.of(filter.name().value()), Optional.empty(), 10, false, Client.SERVICE);
    assertEquals("1024", bytes(filter.name()));
  }
}
