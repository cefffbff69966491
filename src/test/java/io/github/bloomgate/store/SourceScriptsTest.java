package io.github.bloomgate.store;

import static io.github.bloomgate.support.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.source.LastRun;
import io.github.bloomgate.store.SourceStore.When;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The replies and effects of the scripts for sources and the agenda. */
class SourceScriptsTest extends ScriptsOfFilters {

  private FilterName name;

  @BeforeEach
  void create() {
    name = name();
    created(name);
  }

  private void attach(String key, Instant next) {
    sources.attach(name, source(key), Optional.ofNullable(next));
  }

  private ClaimReply claim(String run, When when) {
    return sources.claim(name, run, when);
  }

  private boolean renew(String run) {
    return sources.renew(name, run).isPresent();
  }

  private boolean ran(String run) {
    return ran(run, run(7), Optional.empty());
  }

  private boolean ran(String run, LastRun outcome, Optional<Instant> next) {
    return sources.ran(name, new EndedRun(run, outcome, next));
  }

  /** A run that read some elements. */
  static LastRun run(long elements) {
    return new LastRun(Instant.EPOCH, LATER, elements, Optional.empty());
  }

  private static Map<String, String> before(ClaimReply reply) {
    return assertInstanceOf(ClaimReply.Claimed.class, reply).before();
  }

  private String field(String field) {
    var value = redis.command("HGET", Keys.source(name), field);
    return value == null ? "none" : value.toString();
  }

  /** Ends the claim of a run, as if it had stalled. */
  private void letClaimEnd() {
    redis.command("HSET", Keys.source(name), "leasedUntil", "1");
  }

  @Test
  void anAttachedSourceIsClaimedByOneRun() {
    assertFalse(found(name).state().hasSource());
    attach("x", null);
    assertTrue(found(name).state().hasSource());
    assertEquals(source("x"), before(claim("one", When.NOW)).get("source"));
    var running = assertInstanceOf(ClaimReply.Refused.class, claim("two", When.NOW));
    assertTrue(running.until().orElseThrow().isAfter(Instant.now()));
    assertEquals("one", field("run"));
    assertEquals("1", field("attempt"));
  }

  @Test
  void aRunIsTakenOverWhenItsClaimEnds() {
    attach("x", null);
    claim("one", When.NOW);
    assertDone(rebuilds.open(name, found(name).state().version(), random(), opened("one")));
    var rebuild = found(name).state().next();
    letClaimEnd();
    var before = before(claim("two", When.DUE));
    assertEquals("one", before.get("run"));
    assertEquals(rebuild, Optional.of(before.get("rebuild")), "the rebuild to go on with");
    assertEquals("2", field("attempt"));
    assertFalse(renew("one"));
    assertFalse(ran("one"));
    assertEquals("none", field("elementsBefore"));
    assertEquals("two", field("run"));
  }

  private FilterState opened(String run) {
    return loading(state(name), AN_HOUR, run);
  }

  @Test
  void aRunThatLostItsClaimOpensNoRebuild() {
    attach("x", null);
    var version = found(name).state().version();
    assertRefused(
        ChangeReply.Refusal.RUN_LOST, rebuilds.open(name, version, random(), opened("one")));
    claim("two", When.NOW);
    assertRefused(
        ChangeReply.Refusal.RUN_LOST, rebuilds.open(name, version, random(), opened("one")));
    assertEquals(Optional.empty(), found(name).state().next());
    assertEquals("none", field("rebuild"));
  }

  /** A run that committed but kept its claim would be repeated, without the adds during it. */
  @Test
  void aCommitEndsTheClaimOfItsRun() {
    attach("x", null);
    claim("one", When.NOW);
    assertDone(rebuilds.open(name, found(name).state().version(), random(), opened("one")));
    var ended = new EndedRun("one", run(7), Optional.of(LATER));
    var known = found(name);
    assertDone(
        rebuilds.commit(
            name,
            Optional.of(known.state()),
            random(),
            known.next().orElseThrow(),
            List.of(),
            Optional.of(ended),
            NewExpiry.KEEP,
            Optional.empty()));
    assertEquals("7", field("elementsBefore"));
    assertEquals(String.valueOf(LATER.toEpochMilli()), field("nextRunAt"));
    assertEquals("", field("run"));
    assertEquals("", field("rebuild"));
    assertFalse(renew("one"));
    assertFalse(exists(Keys.next(name)));
  }

  /** Otherwise a client that sees the end of the run could still find its rebuild. */
  @Test
  void anAbortEndsTheClaimOfAFailedRun() {
    attach("x", null);
    claim("one", When.NOW);
    assertDone(rebuilds.open(name, found(name).state().version(), random(), opened("one")));
    var ended = new EndedRun("one", run(7), Optional.of(LATER));
    var live = found(name).state();
    var next = live.next().orElseThrow();
    redis.command("HSET", Keys.source(name), "run", "two");
    assertRefused(
        ChangeReply.Refusal.RUN_LOST,
        rebuilds.abort(name, live.version(), random(), next, true, "one", Optional.of(ended)));
    assertEquals("none", field("lastRun"));
    redis.command("HSET", Keys.source(name), "run", "one");
    assertDone(
        rebuilds.abort(name, live.version(), random(), next, true, "one", Optional.of(ended)));
    assertEquals("", field("run"));
    assertEquals(String.valueOf(LATER.toEpochMilli()), field("nextRunAt"));
    assertFalse(exists(Keys.next(name)));
  }

  @Test
  void aRunThatIsGivenBackIsTakenOverAtOnce() {
    attach("x", null);
    claim("one", When.NOW);
    assertTrue(sources.giveBack(name, "one", 0).isPresent());
    assertEquals("one", before(claim("two", When.DUE)).get("run"));
    assertEquals("1", field("attempt"), "no instance died");
    assertEquals(Optional.empty(), sources.giveBack(name, "one", 0));
  }

  /** The clock of Redis was ahead when the run was claimed. */
  @Test
  void aClaimLastsNoLongerThanALease() {
    attach("x", null);
    claim("one", When.NOW);
    var inDays = Instant.now().plus(Duration.ofDays(40)).toEpochMilli();
    redis.command("HSET", Keys.source(name), "leasedUntil", String.valueOf(inDays));
    var refused = assertInstanceOf(ClaimReply.Refused.class, claim("two", When.DUE));
    var latest = Instant.now().plus(SourceStore.LEASE).plusSeconds(5);
    assertTrue(refused.until().orElseThrow().isBefore(latest), refused.toString());
    assertEquals(
        String.valueOf(refused.until().orElseThrow().toEpochMilli()), field("leasedUntil"));
  }

  @Test
  void aTimeIsMovedUnlessItHasChanged() {
    attach("x", LATER);
    var sooner = LATER.minusSeconds(60);
    sources.reschedule(name, Optional.of(sooner), Optional.of(Instant.EPOCH));
    assertEquals(String.valueOf(LATER.toEpochMilli()), field("nextRunAt"));
    sources.reschedule(name, Optional.of(LATER), Optional.of(sooner));
    assertEquals(String.valueOf(sooner.toEpochMilli()), field("nextRunAt"));
    claim("one", When.NOW);
    sources.reschedule(name, Optional.of(sooner), Optional.of(Instant.EPOCH));
    assertEquals(String.valueOf(sooner.toEpochMilli()), field("nextRunAt"));
  }

  /** No other run took over while it stalled. */
  @Test
  void aStalledRunRenewsItsClaim() {
    attach("x", null);
    claim("one", When.NOW);
    letClaimEnd();
    assertTrue(renew("one"));
    assertInstanceOf(ClaimReply.Refused.class, claim("two", When.NOW));
  }

  /** Its reply was lost. */
  @Test
  void aClaimSentAgainIsTheSameClaim() {
    attach("x", null);
    claim("one", When.NOW);
    assertInstanceOf(ClaimReply.Claimed.class, claim("one", When.NOW));
    assertEquals("1", field("attempt"));
  }

  @Test
  void aSourceIsReadWhenItIsDue() {
    attach("x", LATER);
    assertEquals(new ClaimReply.Refused(Optional.of(LATER)), claim("one", When.DUE));
    assertInstanceOf(ClaimReply.Claimed.class, claim("one", When.NOW));
    var past = Instant.ofEpochMilli(1);
    assertTrue(ran("one", run(3), Optional.of(past)));
    assertEquals("3", field("elementsBefore"));
    assertInstanceOf(ClaimReply.Claimed.class, claim("two", When.DUE));
    assertEquals("1", field("attempt"));
    assertTrue(ran("two", run(3), Optional.empty()));
    assertEquals(new ClaimReply.Refused(Optional.empty()), claim("three", When.DUE));
  }

  /**
   * A run that fails because Redis is full must be recorded, or its filter is rebuilt again at
   * once.
   */
  @Test
  void aRunEndsInAFullRedis() {
    attach("x", null);
    claim("one", When.NOW);
    var used = Long.toString(redis.info("memory", "used_memory") / 2);
    redis.command("CONFIG", "SET", "maxmemory", used);
    try {
      assertTrue(renew("one"));
      assertTrue(ran("one"));
      assertFails(ErrorCode.STORE_FULL, () -> claim("two", When.NOW));
    } finally {
      redis.command("CONFIG", "SET", "maxmemory", "0");
    }
    assertEquals("7", field("elementsBefore"));
    assertInstanceOf(ClaimReply.Claimed.class, claim("two", When.NOW));
    assertEquals("1", field("attempt"));
  }

  @Test
  void anotherSourceEndsTheRunOfTheOldOne() {
    attach("x", null);
    claim("one", When.NOW);
    attach("x", null);
    assertTrue(renew("one"), "the same source");
    attach("y", LATER);
    assertFalse(renew("one"));
    assertEquals("none", field("leasedUntil"));
    assertEquals(String.valueOf(LATER.toEpochMilli()), field("nextRunAt"));
  }

  @Test
  void aReleasedSourceIsGone() {
    attach("x", null);
    claim("one", When.NOW);
    sources.release(name);
    assertFalse(exists(Keys.source(name)) || found(name).state().hasSource());
    assertFails(ErrorCode.SOURCE_NOT_FOUND, () -> sources.release(name));
    assertFails(ErrorCode.SOURCE_NOT_FOUND, () -> claim("one", When.NOW));
    assertFalse(renew("one"));
    assertFalse(ran("one"));
  }

  /** A source expires with its filter. */
  @Test
  void aSourceHasTheExpiryOfItsFilter() {
    attach("x", null);
    var key = Keys.source(name);
    assertExpiry(Optional.empty(), key);
    assertDone(expire(name, Optional.of(LATER)));
    assertExpiry(Optional.of(LATER), key);
    sources.release(name);
    attach("y", null);
    assertExpiry(Optional.of(LATER), key);
    assertDone(expire(name, Optional.empty()));
    assertExpiry(Optional.empty(), key);
    attach("z", null);
    open(name);
    var known = found(name).state();
    assertDone(stores.commit(name, known, NewExpiry.at(LATER), Optional.empty()));
    assertExpiry(Optional.of(LATER), key);
  }

  /** Another client has attached it since the caller read the filter. */
  @Test
  void anUnknownSourceIsNotLeftBehind() {
    var before = found(name).state();
    attach("x", null);
    assertRefused(ChangeReply.Refusal.CHANGED, expire(name, before, Optional.of(LATER)));
    assertRefused(
        ChangeReply.Refusal.CHANGED,
        delete(name, before.version(), before.content(), Written.NONE));
    assertDone(
        filters.delete(
            name,
            new RemovedFilter(
                before.version(),
                Optional.of(before.content()),
                Written.NONE,
                false,
                true,
                Optional.empty()),
            Optional.empty()));
    assertFalse(exists(Keys.source(name)));
  }

  @Test
  void aFilterThatIsGoneHasNoSource() {
    redis.command("DEL", Keys.state(name));
    assertFails(ErrorCode.FILTER_NOT_FOUND, () -> attach("x", null));
    assertFails(ErrorCode.FILTER_NOT_FOUND, () -> sources.release(name));
    assertFails(ErrorCode.FILTER_NOT_FOUND, () -> claim("one", When.NOW));
    assertFails(
        ErrorCode.FILTER_NOT_FOUND,
        () -> sources.reschedule(name, Optional.of(LATER), Optional.of(LATER)));
    assertFalse(renew("one"));
    assertFalse(ran("one"));
    assertFalse(exists(Keys.source(name)));
  }

  @Test
  void keysOfAnotherTypeAreReported() {
    redis.command("SET", Keys.source(name), "x");
    assertFails(ErrorCode.WRONG_KEY_TYPE, () -> attach("x", null));
    assertFails(ErrorCode.WRONG_KEY_TYPE, () -> sources.release(name));
    assertFails(ErrorCode.WRONG_KEY_TYPE, () -> claim("one", When.NOW));
    assertFails(ErrorCode.WRONG_KEY_TYPE, () -> renew("one"));
    assertFails(ErrorCode.WRONG_KEY_TYPE, () -> ran("one"));
    assertFails(
        ErrorCode.WRONG_KEY_TYPE,
        () -> sources.reschedule(name, Optional.of(LATER), Optional.of(LATER)));
    assertEquals("x", redis.command("GET", Keys.source(name)).toString());
  }

  @Test
  void namesAreDueInTheOrderOfTheirTimes() {
    var other = name();
    agenda.enter(name, Instant.ofEpochMilli(20));
    agenda.enter(other, Instant.ofEpochMilli(10));
    agenda.enter(name(), LATER);
    var due = List.of(new Agenda.Due(other, 10), new Agenda.Due(name, 20));
    assertEquals(due, agenda.due(9));
    assertEquals(due, agenda.from(0, 2));
    assertEquals(due.subList(1, 2), agenda.from(1, 1));
    assertTrue(agenda.from(2, 1).get(0).time() >= LATER.toEpochMilli());
    assertEquals(due.subList(0, 1), agenda.due(1));
    assertTrue(agenda.putOff(due.get(0), Optional.of(LATER)));
    assertTrue(agenda.putOff(due.get(1), Optional.empty()));
    assertEquals(List.of(), agenda.due(9));
  }

  @Test
  void aNameIsDueAfterATimeByTheRedisClock() {
    agenda.enterAfter(name, Duration.ofHours(1));
    assertEquals(List.of(), agenda.due(9));
    agenda.enterAfter(name, Duration.ZERO);
    var due = agenda.due(9);
    assertEquals(List.of(name), due.stream().map(Agenda.Due::name).toList());
    assertTrue(agenda.putOff(due.get(0), Optional.empty()));
  }

  /** A late instance neither postpones a name nor removes it. */
  @Test
  void aTimeSetByAnotherCallerStays() {
    agenda.enter(name, Instant.ofEpochMilli(20));
    var late = agenda.due(1).get(0);
    agenda.enter(name, LATER);
    var now = agenda.due(1).get(0);
    assertEquals(new Agenda.Due(name, 19), now);
    assertFalse(agenda.putOff(late, Optional.empty()));
    assertFalse(agenda.putOff(late, Optional.of(LATER)));
    assertTrue(agenda.putOff(now, Optional.empty()));
    assertFalse(agenda.putOff(now, Optional.of(LATER)));
  }

  @Test
  void anAgendaOfAnotherTypeIsAnError() {
    redis.command("SET", Keys.agenda(), "x");
    try {
      assertThrows(BloomException.class, () -> agenda.due(1));
      assertThrows(BloomException.class, () -> agenda.enter(name, LATER));
    } finally {
      redis.command("DEL", Keys.agenda());
    }
  }
}
