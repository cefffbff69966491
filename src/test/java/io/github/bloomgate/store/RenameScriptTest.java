package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.store.ChangeReply.Refusal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The effect of {@code rename} on the keys of both names. */
class RenameScriptTest extends ScriptsOfFilters {

  private FilterName name;
  private FilterName newName;
  private StoredGeneration before;
  private Known known;

  @BeforeEach
  void create() {
    name = name();
    newName = name();
    created(name, Optional.of(LATER));
    before = live(name);
    known = appended(before, 0, Known.NOTHING_YET);
  }

  private ChangeReply rename(RemovedFilter replaced, boolean hasSource) {
    return filters.rename(name, newName, before.version(), hasSource, List.of(), replaced);
  }

  private ChangeReply rename() {
    return rename(RemovedFilter.NONE, false);
  }

  private static void attach(FilterName its, String key) {
    sources.attach(its, source(key), Optional.empty());
  }

  /** Its keys must differ from the keys that the renamed filter has left there. */
  @Test
  void theOldNameCanBeUsedAgain() {
    rename();
    created(name);
    appended(live(name), 0, Known.NOTHING_YET);
    assertEquals(SegmentReply.SAME, advance(live(newName), ask(0, known)));
    var state = found(name).state();
    delete(live(name), state.written());
    assertExpiry(Optional.of(LATER), live(newName).segmentKey(0));
  }

  /** Another client has deleted it since the caller read it. */
  @Test
  void aMissingFilterToReplaceIsReported() {
    assertRefused(Refusal.EXISTS, rename(replaced(random()), false));
    assertTrue(exists(before.stateKey()));
  }

  @Test
  void aReplacedFilterIsDropped() {
    created(newName);
    var replaced = live(newName);
    appended(replaced, 3, Known.NOTHING_YET);
    var dropped = dropped(rename(replaced(replaced.version()), false)).orElseThrow();
    assertEquals(new Dropped(replaced.content(), written(3)), dropped);
    assertEquals(Optional.of(dropped), found(newName).state().dropped());
    assertFalse(filters.drop(Optional.of(newName), dropped, 0));
    assertTrue(redis.command("PTTL", replaced.segmentKey(3)).toLong() <= 60_000);
    assertEquals(SegmentReply.SAME, advance(live(newName), ask(0, known)));
  }

  @Test
  void aReplacedFilterIsDroppedInTheSameCallIfTheCallerKnowsIt() {
    created(newName);
    var replaced = live(newName);
    appended(replaced, 3, Known.NOTHING_YET);
    var asked = List.of(new FilterStore.Asked(before, 0, FORMAT));
    var reply =
        filters.rename(
            name,
            newName,
            before.version(),
            false,
            asked,
            RemovedFilter.of(found(newName).state(), Optional.empty()));
    assertIsAsFound(newName, asked, reply);
    assertEquals(Optional.empty(), dropped(reply));
    assertTrue(redis.command("PTTL", replaced.segmentKey(3)).toLong() <= 60_000);
    assertExpiry(Optional.of(LATER), before.segmentKey(0));
  }

  @Test
  void anOpenRebuildAndASourceGoAlong() {
    var incarnation = open(name).content().incarnation();
    before = live(name);
    appended(next(name), 2, Known.NOTHING_YET);
    attach(name, "x");
    created(newName);
    var replaced = open(newName).content().incarnation();
    attach(newName, "y");
    assertRefused(Refusal.CHANGED, rename(replaced(live(newName).version()), false));
    assertDone(rename(replaced(live(newName).version()), true));
    assertEquals(Optional.of(incarnation), found(newName).state().next());
    assertEquals(written(2), found(newName).next().orElseThrow().written());
    assertEquals(source("x"), redis.command("HGET", Keys.source(newName), "source").toString());
    assertFalse(exists(Keys.next(name)) || exists(Keys.source(name)));
    assertFalse(replaced.equals(incarnation));
    assertDone(stores.commit(newName, found(newName).state()));
    assertEquals(incarnation, found(newName).state().content().incarnation());
  }

  @Test
  void aRebuildAndASourceOfTheReplacedFilterAreRemoved() {
    created(newName);
    open(newName);
    attach(newName, "y");
    assertDone(rename(replaced(live(newName).version()), false));
    assertFalse(exists(Keys.next(newName)) || exists(Keys.source(newName)));
    assertEquals(Optional.empty(), found(newName).state().next());
  }

  @Test
  void aRebuildThatExpiredJustBeforeDoesNotMatter() {
    open(name);
    before = live(name);
    redis.command("DEL", Keys.next(name));
    assertDone(rename());
    assertEquals(before.content(), live(newName).content());
    assertFalse(exists(Keys.next(newName)));
  }

  @Test
  void aRenameOfAnotherVersionIsRefused() {
    open(name);
    assertRefused(Refusal.CHANGED, rename());
    before = new StoredGeneration(name(), false, random(), before.content());
    name = before.name();
    assertRefused(Refusal.CHANGED, rename());
  }

  @Test
  void keysOfAnotherTypeAreReported() {
    redis.command("SET", Keys.state(newName), "x");
    assertRefused(Refusal.CHANGED, rename());
    redis.command("DEL", Keys.state(name));
    redis.command("SET", Keys.state(name), "x");
    assertRefused(Refusal.CHANGED, rename());
  }
}
