package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.store.ChangeReply.Refusal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The content of a filter that is cleared or deleted. */
class SlotDropTest extends FilterCalls {

  @Test
  void aClearedFilterIsEmptyAndTheSameOtherwise() {
    created(name, Optional.of(LATER));
    var before = withSegments(0, 1);
    var state = found(name).state();
    var dropped = dropped(clear()).orElseThrow();
    assertEquals(new Dropped(before.content(), Written.of(0, 1)), dropped);
    var after = found(name).state();
    assertEquals(2, after.number());
    assertEquals(Written.NONE, after.written());
    assertEquals(state.createdAt(), after.createdAt());
    assertEquals(state.expiresAt(), after.expiresAt());
    assertEquals(state.owner(), after.owner());
    assertEquals(Optional.of(dropped), after.dropped());
    assertDeadline(Optional.of(LATER), SlotKeys.state(name));
    assertTrue(exists(before, 0));
    assertFalse(exists(live(name), 0));
  }

  @Test
  void anEmptyFilterIsClearedWithoutANote() {
    created(name);
    assertEquals(Optional.empty(), dropped(clear()));
    assertEquals(Optional.empty(), found(name).state().dropped());
  }

  @Test
  void whatIsDroppedGoesWithinAMinute() {
    created(name);
    var before = withSegments(0, 1, 2);
    var dropped = dropped(clear()).orElseThrow();
    assertFalse(filters.drop(Optional.of(name), dropped, 0));
    assertEquals(Optional.empty(), found(name).state().dropped());
    for (var segment = 0; segment < 3; segment++) {
      assertGoesWithinAMinute(before, segment);
    }
  }

  @Test
  void knownSegmentsAreDroppedInTheSameCall() {
    created(name);
    var before = withSegments(0, 1, 2);
    assertEquals(Optional.empty(), dropped(clear(Written.of(0, 1, 2))));
    assertEquals(Optional.empty(), found(name).state().dropped());
    for (var segment = 0; segment < 3; segment++) {
      assertGoesWithinAMinute(before, segment);
    }
  }

  /** Another instance wrote it since the caller read the filter. */
  @Test
  void contentWithAnUnknownSegmentIsNoted() {
    created(name);
    var before = withSegments(0, 1);
    var noted = new Dropped(before.content(), Written.of(0, 1));
    assertEquals(Optional.of(noted), dropped(clear(Written.of(0))));
    assertEquals(Optional.of(noted), found(name).state().dropped());
    assertDeadline(Optional.empty(), before.segmentKey(0));
  }

  @Test
  void contentOfManySegmentsIsNoted() {
    created(name);
    var all = java.util.stream.IntStream.range(0, 65).toArray();
    var before = withSegments(all);
    var noted = new Dropped(before.content(), Written.of(all));
    assertEquals(Optional.of(noted), dropped(clear(Written.of(all))));
    assertDeadline(Optional.empty(), before.segmentKey(0));
  }

  /** The instance that cleared the filter died before it dropped the content. */
  @Test
  void contentThatNobodyDroppedIsDroppedBeforeItWouldBeForgotten() {
    created(name);
    withSegments(0);
    var dropped = dropped(clear()).orElseThrow();
    var still = new ChangeReply.StillToDrop(dropped);
    assertEquals(still, clear());
    assertEquals(still, expire(Optional.of(LATER)));
    assertEquals(still, delete());
    var target = name();
    created(target);
    var version = found(name).state().version();
    assertEquals(
        still, filters.rename(name, name(), version, List.of(), false, false, RemovedFilter.NONE));
    assertEquals(
        still,
        filters.rename(
            target, name, live(target).version(), List.of(), false, false, replaced(version)));
    assertFalse(filters.drop(Optional.of(name), dropped, 0));
    assertDone(delete());
  }

  /** Another instance was faster, and the filter was cleared once more since. */
  @Test
  void contentIsNotDroppedByAnotherNote() {
    created(name);
    withSegments(0);
    var first = dropped(clear()).orElseThrow();
    filters.drop(Optional.of(name), first, 0);
    var second = withSegments(0);
    dropped(clear());
    assertFalse(filters.drop(Optional.of(name), first, 0));
    assertTrue(found(name).state().dropped().isPresent());
    assertDeadline(Optional.empty(), second.segmentKey(0));
  }

  @Test
  void manySegmentsAreDroppedInSeveralCalls() {
    created(name);
    var all = java.util.stream.IntStream.range(0, 1_500).toArray();
    var state = found(name).state();
    redis.command("MSET", keysAndValues(state.content(), all));
    var dropped = new Dropped(state.content(), Written.of(all));
    assertTrue(filters.drop(Optional.empty(), dropped, 0));
    assertDeadline(Optional.empty(), SlotKeys.segment(state.content(), 1_024));
    assertFalse(filters.drop(Optional.empty(), dropped, 1_024));
    for (var segment : List.of(0, 1_023, 1_024, 1_499)) {
      var left = redis.command("PTTL", SlotKeys.segment(state.content(), segment)).toLong();
      assertTrue(left > 0 && left <= 60_000, left + " ms");
    }
  }

  private static String[] keysAndValues(ContentId content, int[] segments) {
    return java.util.Arrays.stream(segments)
        .mapToObj(segment -> List.of(SlotKeys.segment(content, segment), "x"))
        .flatMap(List::stream)
        .toArray(String[]::new);
  }

  @Test
  void aDeletedFiltersSegmentsGoWithinAMinute() {
    created(name);
    var live = withSegments(0, 7);
    redis.command("HSET", SlotKeys.next(name), "incarnation", random());
    sources.attach(name, "x", Optional.empty());
    assertDone(
        filters.delete(
            name,
            new RemovedFilter(
                live.version(),
                Optional.of(live.content()),
                Written.of(0, 7),
                true,
                true,
                Optional.empty()),
            Optional.empty()));
    for (var key : List.of(live.stateKey(), SlotKeys.next(name), SlotKeys.source(name))) {
      assertFalse(exists(key), key);
    }
    assertGoesWithinAMinute(live, 0);
    assertGoesWithinAMinute(live, 7);
  }

  /** Redis was killed amid the deletion. */
  @Test
  void aDeletionThatWasCutOffIsFinished() {
    created(name);
    var live = withSegments(0, 1);
    redis.command("HDEL", live.stateKey(), "version");
    var unfinished =
        new FindReply.Unfinished(
            new RemovedFilter(
                "", Optional.of(live.content()), Written.of(0, 1), true, true, Optional.empty()));
    assertEquals(unfinished, TestLink.await(filters.find(name, false, List.of())));
    assertEquals(List.of(new GroupReply.Gone()), groups(group(live, ask(0, Known.NOTHING_YET))));
    assertEquals(Refusal.UNFINISHED, refusal(filters.create(name, state(name, Optional.empty()))));
    var next = loading(state(name, Optional.empty()), Duration.ofHours(1), "");
    assertEquals(Refusal.UNFINISHED, refusal(rebuilds.open(name, "", "", next)));
    assertEquals(
        new ChangeReply.OtherSegments(Written.of(0, 1)), delete("", live.content(), Written.NONE));
    assertDone(delete("", live.content(), Written.of(0, 1)));
    assertTrue(redis.command("PTTL", live.segmentKey(1)).toLong() > 0);
    assertDone(filters.create(name, state(name, Optional.empty())));
  }
}
