package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.store.ChangeReply.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The replies to opening, loading, commit and abort of a rebuild, and the keys they leave. */
class RebuildScriptsTest extends ScriptsOfFilters {

  /** Before a rebuild's timeout of an hour, by more than the tests tolerate. */
  private static final Instant SOON = LATER.minusSeconds(2_400);

  private FilterName name;

  @BeforeEach
  void create() {
    name = name();
    created(name);
  }

  private ChangeReply open(String version, Duration maxWait, String run) {
    var next = state(name);
    return rebuilds.open(name, version, random(), loading(next, maxWait, run));
  }

  private ChangeReply commit(String version, FilterState next, String run, NewExpiry expiry) {
    return rebuilds.commit(
        name,
        version.isEmpty() ? Optional.empty() : Optional.of(known(name, version, !run.isEmpty())),
        random(),
        next,
        List.of(),
        Optional.of(run)
            .filter(its -> !its.isEmpty())
            .map(its -> new EndedRun(its, SourceScriptsTest.run(7), Optional.empty())),
        expiry,
        Optional.empty());
  }

  private ChangeReply commit() {
    return commit(live(name).version(), nextState(), "", NewExpiry.KEEP);
  }

  private FilterState nextState() {
    return found(name).next().orElseThrow();
  }

  /** The number of elements loaded into the open rebuild. */
  private long received() {
    return nextState().loading().orElseThrow().received();
  }

  private ChangeReply abort(String incarnation, boolean hasNext, String run) {
    return rebuilds.abort(
        name, live(name).version(), random(), incarnation, hasNext, run, Optional.empty());
  }

  /** When the open rebuild expires without a load. */
  private Instant ends() {
    return nextState().expiresAt().orElseThrow();
  }

  private void attach(String run) {
    sources.attach(name, source("x"), Optional.empty());
    sources.claim(name, run, SourceStore.When.NOW);
  }

  @Test
  void oneRebuildIsOpenAtATime() {
    open(name);
    var incarnation = nextState().content().incarnation();
    assertRefused(Refusal.OPEN, open(live(name).version(), AN_HOUR, ""));
    assertRefused(Refusal.OPEN, stores.clear(name, Written.NONE));
    assertEquals(incarnation, nextState().content().incarnation());
  }

  @Test
  void anotherRebuildFollowsATimedOutOne() {
    open(name);
    var incarnation = nextState().content().incarnation();
    redis.command("DEL", Keys.next(name));
    open(name);
    assertNotEquals(incarnation, nextState().content().incarnation());
  }

  /** The filter expired, and the loaded content outlived it. */
  @Test
  void leftoversOfARebuildOfAnEarlierFilterAreOverwritten() {
    open(name);
    assertDone(TestLink.await(rebuilds.loaded(next(name), 7, Written.NONE)));
    redis.command("DEL", Keys.state(name));
    created(name);
    open(name);
    assertEquals(0, received());
    redis.command("DEL", Keys.state(name));
    assertDone(open("", AN_HOUR, ""));
  }

  /** A segment without recent loads stays as long as the others. */
  @Test
  void allSegmentsAreRenewedWhenHalfOfTheTimeIsOver() {
    assertDone(open(live(name).version(), Duration.ofDays(1), ""));
    var next = next(name);
    appended(next, 4, Known.NOTHING_YET);
    var soon = Instant.now().plusSeconds(3_600);
    redis.command("HSET", next.stateKey(), "expiresAt", String.valueOf(soon.toEpochMilli()));
    for (var key : List.of(next.stateKey(), next.segmentKey(4))) {
      redis.command("PEXPIREAT", key, String.valueOf(soon.toEpochMilli()));
    }
    var reported = new ChangeReply.OtherSegments(written(4));
    assertEquals(reported, TestLink.await(rebuilds.loaded(next, 3, Written.NONE)));
    assertEquals(0, received());
    assertDone(TestLink.await(rebuilds.loaded(next, 3, written(4))));
    var ends = ends();
    assertTrue(ends.isAfter(soon.plusSeconds(3_600)));
    for (var key : List.of(next.stateKey(), next.segmentKey(4))) {
      assertExpiry(Optional.of(ends), key);
    }
    assertEquals(3, received());
  }

  /** Otherwise, its keys would stay in Redis after the filter. */
  @Test
  void aRebuildExpiresWithItsFilterIfThatIsEarlier() {
    expire(Optional.of(SOON));
    open(name);
    var next = next(name);
    appended(next, 0, Known.NOTHING_YET);
    assertEnds(SOON);
    assertDone(TestLink.await(rebuilds.loaded(next, 3, Written.NONE)));
    assertEnds(SOON);
    var later = SOON.plusSeconds(1_200);
    expire(Optional.of(later));
    assertEnds(later);
    appended(next, 5, Known.NOTHING_YET);
    expire(Optional.of(SOON));
    assertEnds(SOON);
    expire(Optional.empty());
    assertTrue(ends().isAfter(later));
    assertEnds(ends());
    expire(Optional.of(LATER.plus(AN_HOUR)));
    assertTrue(ends().isBefore(LATER.plusSeconds(600)));
    assertEnds(ends());
  }

  /** Its segments would not get the new expiry. */
  @Test
  void anExpirySetByACallerWithAnOutdatedRebuildIsRefused() {
    open(name);
    var before = nextState();
    var next = next(name);
    appended(next, 0, Known.NOTHING_YET);
    assertRefused(Refusal.CHANGED, expire(Optional.of(before), Optional.of(SOON)));
    redis.command("DEL", Keys.next(name));
    assertRefused(Refusal.CHANGED, expire(Optional.of(before), Optional.of(SOON)));
    redis.command("SET", Keys.next(name), "x");
    assertRefused(Refusal.CHANGED, expire(Optional.of(before), Optional.of(SOON)));
    assertExpiry(Optional.empty(), Keys.state(name));
  }

  private void expire(Optional<Instant> expiry) {
    assertDone(expire(found(name).next(), expiry));
  }

  private ChangeReply expire(Optional<FilterState> next, Optional<Instant> expiry) {
    var state = TestLink.await(filters.find(name, false, List.of()));
    return filters.expire(
        name,
        ((FindReply.Found) state).state(),
        random(),
        next,
        NewExpiry.of(expiry),
        List.of(),
        Optional.empty());
  }

  private void assertEnds(Instant expected) {
    assertEquals(expected, ends());
    var next = next(name);
    assertExpiry(Optional.of(expected), next.stateKey());
    for (var key : nextState().written().keys(next.content())) {
      assertExpiry(Optional.of(expected), key);
    }
  }

  @Test
  void keysOfAnotherTypeAreReported() {
    var version = live(name).version();
    redis.command("SET", Keys.next(name), "x");
    var next = state(name);
    assertRefused(Refusal.NEXT_WRONG_TYPE, open(version, AN_HOUR, ""));
    assertRefused(Refusal.NO_REBUILD, commit(version, next, "", NewExpiry.KEEP));
    var incarnation = next.content().incarnation();
    redis.command("HSET", Keys.state(name), "next", incarnation);
    assertWrongType(Keys.next(name), filters.find(name, true, List.of()));
    assertDone(rebuilds.abort(name, version, random(), incarnation, true, "", Optional.empty()));
    assertEquals("x", redis.command("GET", Keys.next(name)).toString());
    var generation = new StoredGeneration(name, true, random(), next.content());
    assertRefused(Refusal.CHANGED, TestLink.await(rebuilds.loaded(generation, 3, Written.NONE)));
  }

  @Test
  void loadingWithoutARebuildIsReported() {
    open(name);
    var next = next(name);
    var other = new StoredGeneration(name, true, random(), next.content());
    assertRefused(Refusal.CHANGED, TestLink.await(rebuilds.loaded(other, 3, Written.NONE)));
    redis.command("DEL", Keys.next(name));
    assertRefused(Refusal.CHANGED, TestLink.await(rebuilds.loaded(next, 3, Written.NONE)));
  }

  @Test
  void aCommitDropsTheSegmentsThatTheCallerKnows() {
    var live = live(name);
    appended(live, 0, Known.NOTHING_YET);
    appended(live, 2, Known.NOTHING_YET);
    open(name);
    var next = next(name);
    appended(next, 0, Known.NOTHING_YET);
    appended(next, 3, Known.NOTHING_YET);
    var asked =
        List.of(new FilterStore.Asked(next, 0, FORMAT), new FilterStore.Asked(next, 3, FORMAT));
    var reply =
        rebuilds.commit(
            name,
            Optional.of(found(name).state()),
            random(),
            nextState(),
            asked,
            Optional.empty(),
            NewExpiry.KEEP,
            Optional.empty());
    assertEquals(Optional.empty(), dropped(reply));
    assertIsAsFound(name, asked, reply);
    assertTrue(redis.command("PTTL", live.segmentKey(0)).toLong() > 0);
    assertTrue(redis.command("PTTL", live.segmentKey(2)).toLong() > 0);
    assertExpiry(Optional.empty(), next.segmentKey(0));
    assertExpiry(Optional.empty(), next.segmentKey(3));
  }

  /** The segment would lose its expiry, and be dropped with the old content. */
  @Test
  void aSegmentWrittenJustBeforeACommitIsNotLeftBehind() {
    open(name);
    var before = nextState();
    appended(next(name), 8, Known.NOTHING_YET);
    assertEquals(
        new ChangeReply.OtherSegments(written(8)),
        commit(live(name).version(), before, "", NewExpiry.KEEP));
    assertDone(commit());
  }

  @Test
  void aLayerOpenedJustBeforeACommitIsReported() {
    open(name);
    var before = nextState();
    assertDone(filters.grow(next(name), random(), "{\"layers\": 2}"));
    assertRefused(Refusal.CHANGED, commit(live(name).version(), before, "", NewExpiry.KEEP));
    assertDone(commit());
    assertEquals("{\"layers\": 2}", found(name).state().definition());
  }

  /** The segment was evicted. The live generation is whole. */
  @Test
  void aCommitOfADamagedGenerationIsRefused() {
    open(name);
    var next = next(name);
    appended(next, 0, Known.NOTHING_YET);
    appended(next, 1, Known.NOTHING_YET);
    redis.command("DEL", next.segmentKey(1));
    var live = live(name);
    assertRefused(Refusal.NEXT_DAMAGED, commit());
    assertTrue(redis.command("PTTL", next.segmentKey(0)).toLong() > 0, "it expires with the rest");
    var later = NewExpiry.at(LATER);
    assertRefused(Refusal.NEXT_DAMAGED, commit(live.version(), nextState(), "", later));
    assertEquals(live, live(name));
    var dropped = dropped(abort(next.content().incarnation(), true, "")).orElseThrow();
    assertFalse(filters.drop(Optional.empty(), dropped, 0));
    assertTrue(redis.command("PTTL", next.segmentKey(0)).toLong() > 0);
  }

  @Test
  void aCommitWithoutARebuildIsRefused() {
    open(name);
    var before = nextState();
    redis.command("DEL", Keys.next(name));
    var version = live(name).version();
    assertRefused(Refusal.NO_REBUILD, commit(version, before, "", NewExpiry.KEEP));
    assertDone(abort(before.content().incarnation(), false, ""));
    version = live(name).version();
    assertRefused(Refusal.NO_REBUILD, commit(version, before, "", NewExpiry.KEEP));
    assertRefused(Refusal.CHANGED, commit(random(), before, "", NewExpiry.KEEP));
  }

  @Test
  void anAbortDropsTheLoadedContent() {
    var live = live(name);
    var known = appended(live, 0, Known.NOTHING_YET);
    open(name);
    var next = next(name);
    appended(next, 5, Known.NOTHING_YET);
    var dropped = dropped(abort(next.content().incarnation(), true, "")).orElseThrow();
    assertEquals(new Dropped(next.content(), written(5)), dropped);
    assertFalse(filters.drop(Optional.empty(), dropped, 0));
    assertTrue(redis.command("PTTL", next.segmentKey(5)).toLong() <= 60_000);
    assertFalse(exists(Keys.next(name)));
    assertEquals(Optional.empty(), found(name).state().next());
    assertEquals(SegmentReply.SAME, advance(live(name), ask(0, known)));
  }

  @Test
  void anAbortOfAnotherRebuildIsRefused() {
    open(name);
    assertRefused(Refusal.NO_REBUILD, abort(random(), true, ""));
    assertRefused(
        Refusal.CHANGED,
        rebuilds.abort(
            name,
            random(),
            random(),
            nextState().content().incarnation(),
            true,
            "",
            Optional.empty()));
    assertTrue(found(name).next().isPresent());
  }

  /** The run stalled, another one took over, and then it continues. */
  @Test
  void aRunThatLostItsClaimNeitherCommitsNorAborts() {
    attach("a run");
    assertDone(open(live(name).version(), AN_HOUR, "a run"));
    var next = nextState();
    redis.command("HSET", Keys.source(name), "run", "another run");
    var version = live(name).version();
    assertRefused(Refusal.RUN_LOST, commit(version, next, "a run", NewExpiry.KEEP));
    var incarnation = next.content().incarnation();
    assertRefused(Refusal.RUN_LOST, abort(incarnation, true, "a run"));
    assertTrue(found(name).next().isPresent());
    assertDone(commit(version, next, "another run", NewExpiry.KEEP));
  }

  /** Another client has created the filter. */
  @Test
  void aRebuildWithoutAFilterReplacesNone() {
    name = name();
    assertDone(open("", AN_HOUR, ""));
    var next = state(name);
    var created = created(name);
    assertRefused(Refusal.EXISTS, commit("", next, "", NewExpiry.KEEP));
    assertRefused(Refusal.EXISTS, open("", AN_HOUR, ""));
    assertRefused(
        Refusal.EXISTS,
        rebuilds.abort(
            name, "", random(), next.content().incarnation(), true, "", Optional.empty()));
    assertEquals(created, found(name).state());
  }

  /** The filter was created during the rebuild, and a crash interrupted its deletion. */
  @Test
  void aRebuildWithoutAFilterKeepsNothingOfADeletedOne() {
    name = name();
    var next = state(name);
    assertDone(rebuilds.open(name, "", random(), loading(next, AN_HOUR, "")));
    created(name);
    attach("a run");
    redis.command("HDEL", Keys.state(name), "version");
    assertRefused(Refusal.EXISTS, commit("", next, "", NewExpiry.KEEP));
    var incarnation = next.content().incarnation();
    assertRefused(
        Refusal.EXISTS,
        rebuilds.abort(name, "", random(), incarnation, true, "", Optional.empty()));
    assertDone(filters.delete(name, unfinished(name), Optional.empty()));
    assertDone(rebuilds.open(name, "", random(), loading(next, AN_HOUR, "")));
    assertDone(commit("", next, "", NewExpiry.NONE));
    assertFalse(found(name).state().hasSource());
  }

  private static RemovedFilter unfinished(FilterName name) {
    var reply = TestLink.await(filters.find(name, false, List.of()));
    return assertInstanceOf(FindReply.Unfinished.class, reply).filter();
  }

  @Test
  void aRebuildWithoutAFilterIsAborted() {
    name = name();
    assertDone(open("", AN_HOUR, ""));
    var opened = redis.command("HGET", Keys.next(name), "incarnation").toString();
    assertRefused(
        Refusal.NO_REBUILD,
        rebuilds.abort(name, "", random(), random(), true, "", Optional.empty()));
    assertDone(rebuilds.abort(name, "", random(), opened, true, "", Optional.empty()));
    assertFalse(exists(Keys.next(name)));
    assertFalse(exists(Keys.state(name)));
  }
}
