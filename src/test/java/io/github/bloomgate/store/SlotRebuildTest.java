package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.store.ChangeReply.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The replies to opening and loading a rebuild, and the keys they leave. */
class SlotRebuildTest extends RebuildCalls {

  /** Before a rebuild's timeout of an hour, by more than the tests tolerate. */
  private static final Instant SOON = LATER.minusSeconds(2_400);

  @Test
  void oneRebuildIsOpenAtATime() {
    open(name);
    var incarnation = nextState().content().incarnation();
    assertEquals(Refusal.OPEN, refusal(open(live(name).version(), AN_HOUR, "")));
    assertEquals(Refusal.OPEN, refusal(clear(name, Written.NONE)));
    assertEquals(incarnation, nextState().content().incarnation());
  }

  @Test
  void anotherRebuildFollowsATimedOutOne() {
    open(name);
    var incarnation = nextState().content().incarnation();
    redis.command("DEL", SlotKeys.next(name));
    open(name);
    assertNotEquals(incarnation, nextState().content().incarnation());
  }

  /** The filter expired, and the loaded content outlived it. */
  @Test
  void leftoversOfARebuildOfAnEarlierFilterAreOverwritten() {
    open(name);
    assertDone(TestLink.await(rebuilds.loaded(next(name), 7, Written.NONE)));
    redis.command("DEL", SlotKeys.state(name));
    created(name);
    open(name);
    assertEquals(0, received());
    redis.command("DEL", SlotKeys.state(name));
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
      assertDeadline(Optional.of(ends), key);
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
    assertEquals(Refusal.CHANGED, refusal(expire(Optional.of(before), Optional.of(SOON))));
    redis.command("DEL", SlotKeys.next(name));
    assertEquals(Refusal.CHANGED, refusal(expire(Optional.of(before), Optional.of(SOON))));
    redis.command("SET", SlotKeys.next(name), "x");
    assertEquals(Refusal.CHANGED, refusal(expire(Optional.of(before), Optional.of(SOON))));
    assertDeadline(Optional.empty(), SlotKeys.state(name));
  }

  private void expire(Optional<Instant> expiry) {
    assertDone(expire(found(name).next(), expiry));
  }

  private ChangeReply expire(Optional<FilterState> next, Optional<Instant> expiry) {
    var state = TestLink.await(filters.find(name, false, List.of()));
    return filters.expire(
        name, ((FindReply.Found) state).state(), next, expiry, List.of(), Optional.empty());
  }

  private void assertEnds(Instant expected) {
    assertEquals(expected, ends());
    var next = next(name);
    assertDeadline(Optional.of(expected), next.stateKey());
    for (var key : nextState().written().keys(next.content())) {
      assertDeadline(Optional.of(expected), key);
    }
  }

  @Test
  void keysOfAnotherTypeAreReported() {
    var version = live(name).version();
    redis.command("SET", SlotKeys.next(name), "x");
    var next = state(name, Optional.empty());
    assertEquals(Refusal.NEXT_WRONG_TYPE, refusal(open(version, AN_HOUR, "")));
    assertEquals(Refusal.NO_REBUILD, refusal(commit(version, next, "", NewExpiry.KEEP)));
    var incarnation = next.content().incarnation();
    redis.command("HSET", SlotKeys.state(name), "next", incarnation);
    assertEquals(
        new FindReply.WrongType(SlotKeys.next(name)),
        TestLink.await(filters.find(name, true, List.of())));
    assertDone(rebuilds.abort(name, version, random(), incarnation, true, ""));
    assertEquals("x", redis.command("GET", SlotKeys.next(name)).toString());
    var generation = new StoredGeneration(name, true, random(), next.content());
    assertEquals(
        Refusal.CHANGED, refusal(TestLink.await(rebuilds.loaded(generation, 3, Written.NONE))));
  }

  @Test
  void loadingWithoutARebuildIsReported() {
    open(name);
    var next = next(name);
    var other = new StoredGeneration(name, true, random(), next.content());
    assertEquals(Refusal.CHANGED, refusal(TestLink.await(rebuilds.loaded(other, 3, Written.NONE))));
    redis.command("DEL", SlotKeys.next(name));
    assertEquals(Refusal.CHANGED, refusal(TestLink.await(rebuilds.loaded(next, 3, Written.NONE))));
  }
}
