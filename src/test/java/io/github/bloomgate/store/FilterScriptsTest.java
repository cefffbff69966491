package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.ContentId;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.store.ChangeReply.Refusal;
import io.github.bloomgate.store.FilterStore.Asked;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The life of a filter without a rebuild: replies and effects of its scripts, and its content. */
class FilterScriptsTest extends ScriptsOfFilters {

  private final FilterName name = name();

  @Test
  void noFilterOverwritesAnotherKey() {
    redis.command("SET", Keys.state(name), "x");
    assertRefused(Refusal.WRONG_TYPE, filters.create(name, state(name)));
    assertWrongType(Keys.state(name), filters.find(name, false, List.of()));
  }

  /** Asserts that nothing is changed for a caller that knows another version with this content. */
  private void assertChangesRefused(ContentId content) {
    var other = state(name);
    var generation = new StoredGeneration(name, false, random(), content);
    for (var reply :
        List.of(
            expire(name, other, Optional.of(LATER)),
            filters.clear(name, other, random(), content, Optional.empty()),
            delete(name, random(), content, Written.NONE),
            filters.grow(generation, random(), "{}"))) {
      assertRefused(Refusal.CHANGED, reply);
    }
  }

  @Test
  void anUnknownFilterIsGone() {
    assertEquals(new FindReply.Gone(), TestLink.await(filters.find(name, false, List.of())));
    assertChangesRefused(new ContentId(name, random()));
    assertFalse(exists(Keys.state(name)));
  }

  /** Its expiry was in the past. */
  @Test
  void aFilterThatExpiresAtOnceIsGone() {
    created(name);
    withSegments(name, 0);
    var reply = expire(name, Optional.of(Instant.ofEpochMilli(1)));
    assertEquals(
        Optional.of(new FindReply.Gone()), assertInstanceOf(ChangeReply.Done.class, reply).now());
    assertFalse(exists(Keys.state(name)));
  }

  @Test
  void aSegmentOfAnotherTypeIsReported() {
    created(name);
    var live = live(name);
    redis.command("RPUSH", live.segmentKey(0), "x");
    assertWrongType(
        live.segmentKey(0), filters.find(name, false, List.of(new Asked(live, 0, FORMAT))));
  }

  /** An add wrote it after the caller read the state. */
  @Test
  void anUnknownSegmentIsNotLeftBehind() {
    var before = created(name);
    withSegments(name, 3);
    var written = new ChangeReply.OtherSegments(written(3));
    assertEquals(written, expire(name, before, Optional.of(LATER)));
    assertEquals(written, delete(name, before.version(), before.content(), Written.NONE));
    assertEquals(written(3), found(name).state().written());
    assertExpiry(Optional.empty(), Keys.state(name));
  }

  @Test
  void anotherVersionIsReportedAndChangesNothing() {
    var state = created(name);
    assertChangesRefused(state.content());
    assertEquals(state, found(name).state());
  }

  /** Two instances find the last layer full, and one of them opens the next. */
  @Test
  void twoInstancesGrowAFilterByOneLayer() {
    created(name);
    var live = live(name);
    assertDone(filters.grow(live, random(), "{\"layers\": 2}"));
    assertRefused(Refusal.CHANGED, filters.grow(live, random(), "{\"layers\": 2}"));
    assertEquals("{\"layers\": 2}", found(name).state().definition());
  }

  /** A crash may restore a state without its expiry. */
  @Test
  void readingAStateRepairsItsExpiry() {
    created(name, Optional.of(LATER));
    redis.command("PERSIST", Keys.state(name));
    found(name);
    assertExpiry(Optional.of(LATER), Keys.state(name));
    expire(name, Optional.empty());
    redis.command("PEXPIRE", Keys.state(name), "600000");
    found(name);
    assertExpiry(Optional.empty(), Keys.state(name));
  }

  @Test
  void changesOfKeysOfAnotherTypeAreReported() {
    redis.command("SET", Keys.state(name), "x");
    var content = new ContentId(name, random());
    assertChangesRefused(content);
    assertRefused(Refusal.CHANGED, delete(name, "", content, Written.NONE));
    assertEquals("x", redis.command("GET", Keys.state(name)).toString());
  }

  /** Another instance has written the segment since the caller read the filter. */
  @Test
  void contentWithAnUnknownSegmentIsNoted() {
    created(name);
    var before = withSegments(name, 0, 1);
    var noted = new Dropped(before.content(), written(0, 1));
    assertEquals(Optional.of(noted), dropped(stores.clear(name, written(0))));
    assertEquals(Optional.of(noted), found(name).state().dropped());
    assertExpiry(Optional.empty(), before.segmentKey(0));
  }

  /** The instance that cleared the filter died before it dropped the content. */
  @Test
  void contentLeftByADeadInstanceIsDropped() {
    created(name);
    withSegments(name, 0);
    var dropped = dropped(stores.clear(name, Written.NONE)).orElseThrow();
    var still = new ChangeReply.StillToDrop(dropped, false);
    assertEquals(still, stores.clear(name, Written.NONE));
    assertEquals(still, expire(name, Optional.of(LATER)));
    assertEquals(still, delete(live(name), found(name).state().written()));
    var target = name();
    created(target);
    var version = found(name).state().version();
    assertEquals(
        still, filters.rename(name, name(), version, false, List.of(), RemovedFilter.NONE));
    assertEquals(
        new ChangeReply.StillToDrop(dropped, true),
        filters.rename(target, name, live(target).version(), false, List.of(), replaced(version)));
    assertFalse(filters.drop(Optional.of(name), dropped, 0));
    assertDone(delete(live(name), found(name).state().written()));
  }

  /** Another instance was faster, and the filter has been cleared again since. */
  @Test
  void contentIsNotDroppedByAnotherNote() {
    created(name);
    withSegments(name, 0);
    var first = dropped(stores.clear(name, Written.NONE)).orElseThrow();
    filters.drop(Optional.of(name), first, 0);
    var second = withSegments(name, 0);
    dropped(stores.clear(name, Written.NONE));
    assertFalse(filters.drop(Optional.of(name), first, 0));
    assertTrue(found(name).state().dropped().isPresent());
    assertExpiry(Optional.empty(), second.segmentKey(0));
  }
}
