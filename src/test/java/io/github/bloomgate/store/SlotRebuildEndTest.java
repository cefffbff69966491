package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.store.ChangeReply.Refusal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The replies to commit and abort, and the keys they leave. */
class SlotRebuildEndTest extends RebuildCalls {

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
        List.of(
            new FilterStore.Asked(next.content(), 0, FORMAT),
            new FilterStore.Asked(next.content(), 3, FORMAT));
    var reply =
        rebuilds.commit(
            name,
            Optional.of(found(name).state()),
            random(),
            nextState(),
            asked,
            "",
            NewExpiry.KEEP,
            Optional.empty());
    assertEquals(Optional.empty(), dropped(reply));
    assertIsAsFound(name, asked, reply);
    assertTrue(redis.command("PTTL", live.segmentKey(0)).toLong() > 0);
    assertTrue(redis.command("PTTL", live.segmentKey(2)).toLong() > 0);
    assertDeadline(Optional.empty(), next.segmentKey(0));
    assertDeadline(Optional.empty(), next.segmentKey(3));
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
    assertEquals(
        Refusal.CHANGED, refusal(commit(live(name).version(), before, "", NewExpiry.KEEP)));
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
    assertEquals(Refusal.NEXT_DAMAGED, refusal(commit()));
    assertTrue(redis.command("PTTL", next.segmentKey(0)).toLong() > 0, "it expires with the rest");
    var later = NewExpiry.at(LATER);
    assertEquals(Refusal.NEXT_DAMAGED, refusal(commit(live.version(), nextState(), "", later)));
    assertEquals(live, live(name));
    var dropped = dropped(abort(next.content().incarnation(), true, "")).orElseThrow();
    assertFalse(filters.drop(Optional.empty(), dropped, 0));
    assertTrue(redis.command("PTTL", next.segmentKey(0)).toLong() > 0);
  }

  @Test
  void aCommitWithoutARebuildIsRefused() {
    open(name);
    var before = nextState();
    redis.command("DEL", SlotKeys.next(name));
    var version = live(name).version();
    assertEquals(Refusal.NO_REBUILD, refusal(commit(version, before, "", NewExpiry.KEEP)));
    assertDone(abort(before.content().incarnation(), false, ""));
    version = live(name).version();
    assertEquals(Refusal.NO_REBUILD, refusal(commit(version, before, "", NewExpiry.KEEP)));
    assertEquals(Refusal.CHANGED, refusal(commit(random(), before, "", NewExpiry.KEEP)));
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
    assertFalse(exists(SlotKeys.next(name)));
    assertEquals(Optional.empty(), found(name).state().next());
    assertEquals(SegmentReply.SAME, advance(live(name), ask(0, known)));
  }

  @Test
  void anAbortOfAnotherRebuildIsRefused() {
    open(name);
    assertEquals(Refusal.NO_REBUILD, refusal(abort(random(), true, "")));
    assertEquals(
        Refusal.CHANGED,
        refusal(
            rebuilds.abort(
                name, random(), random(), nextState().content().incarnation(), true, "")));
    assertTrue(found(name).next().isPresent());
  }

  /** The run stalled, another one took over, and then it continues. */
  @Test
  void aRunThatLostItsClaimNeitherCommitsNorAborts() {
    assertDone(open(live(name).version(), AN_HOUR, "a run"));
    var next = nextState();
    assertEquals(
        Refusal.CHANGED, refusal(commit(live(name).version(), next, "a run", NewExpiry.KEEP)));
    attach("another run");
    var version = live(name).version();
    assertEquals(Refusal.RUN_LOST, refusal(commit(version, next, "a run", NewExpiry.KEEP)));
    var incarnation = next.content().incarnation();
    assertEquals(Refusal.RUN_LOST, refusal(abort(incarnation, true, "a run")));
    assertTrue(found(name).next().isPresent());
    assertDone(commit(version, next, "another run", NewExpiry.KEEP));
  }

  /** Another client has created the filter. */
  @Test
  void aRebuildWithoutAFilterReplacesNone() {
    name = name();
    assertDone(open("", AN_HOUR, ""));
    var next = state(name, Optional.empty());
    var created = created(name);
    assertEquals(Refusal.EXISTS, refusal(commit("", next, "", NewExpiry.KEEP)));
    assertEquals(Refusal.EXISTS, refusal(open("", AN_HOUR, "")));
    assertEquals(
        Refusal.EXISTS,
        refusal(rebuilds.abort(name, "", random(), next.content().incarnation(), true, "")));
    assertEquals(created, found(name).state());
  }

  /** The filter was created during the rebuild, and a crash interrupted its deletion. */
  @Test
  void aRebuildWithoutAFilterKeepsNothingOfADeletedOne() {
    name = name();
    var next = state(name, Optional.empty());
    assertDone(rebuilds.open(name, "", random(), loading(next, AN_HOUR, "")));
    created(name);
    attach("a run");
    redis.command("HDEL", SlotKeys.state(name), "version");
    assertEquals(Refusal.EXISTS, refusal(commit("", next, "", NewExpiry.KEEP)));
    var incarnation = next.content().incarnation();
    assertEquals(
        Refusal.EXISTS, refusal(rebuilds.abort(name, "", random(), incarnation, true, "")));
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
    var opened = redis.command("HGET", SlotKeys.next(name), "incarnation").toString();
    assertEquals(
        Refusal.NO_REBUILD, refusal(rebuilds.abort(name, "", random(), random(), true, "")));
    assertDone(rebuilds.abort(name, "", random(), opened, true, ""));
    assertFalse(exists(SlotKeys.next(name)));
    assertFalse(exists(SlotKeys.state(name)));
  }
}
