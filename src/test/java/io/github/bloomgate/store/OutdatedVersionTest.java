package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.FilterName;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * An instance with an outdated view notices every change of a filter by its version, even if the
 * segment that it uses is unchanged.
 */
class OutdatedVersionTest extends ScriptsOfFilters {

  private FilterName name;
  private StoredGeneration before;
  private Known known;

  @BeforeEach
  void create() {
    name = name();
    created(name);
    before = live(name);
    known = appended(before, 0, Known.NOTHING_YET);
  }

  private Optional<List<SegmentReply>> question() {
    return groups(group(before, ask(0, known))).get(0);
  }

  /** The old segment stays for a while, with the mark in the request. */
  private void assertNoticedAlthoughTheSegmentExists() {
    assertTrue(exists(before, 0));
    assertEquals(Optional.empty(), question());
    var block = block(3);
    assertEquals(List.of(Optional.empty()), groups(group(before, append(0, known, block))));
    assertArrayEquals(known.mark(), new SegmentText(bytes(before, 0), FORMAT).tail());
  }

  private Optional<Dropped> commit() {
    return dropped(stores.commit(name, found(name).state().withWritten(Written.NONE)));
  }

  @Test
  void aTestAfterACommitDoesNotUseTheOldContent() {
    open(name);
    before = live(name);
    appended(next(name), 0, Known.NOTHING_YET);
    var dropped = commit().orElseThrow();
    assertFalse(filters.drop(Optional.of(name), dropped, 0));
    assertNoticedAlthoughTheSegmentExists();
  }

  @Test
  void aTestAfterAClearDoesNotUseTheOldContent() {
    stores.clear(name, Written.NONE);
    assertNoticedAlthoughTheSegmentExists();
    assertEquals(SegmentReply.SAME, advance(live(name), ask(0, Known.NOTHING_YET)));
  }

  @Test
  void aTestAfterADeletionIsNotAnswered() {
    delete(before, written(0));
    assertNoticedAlthoughTheSegmentExists();
  }

  @Test
  void aTestAfterANewCreateDoesNotUseTheOldContent() {
    delete(before, written(0));
    created(name);
    assertNoticedAlthoughTheSegmentExists();
  }

  @Test
  void aTestOfAReplacedFilterDoesNotUseTheOldContent() {
    var other = name();
    var state = created(other);
    var replaced =
        filters.rename(other, name, state.version(), false, List.of(), replaced(before.version()));
    assertTrue(dropped(replaced).isPresent());
    assertNoticedAlthoughTheSegmentExists();
  }

  /** The add must go to the rebuild, although the live generation already has the element. */
  @Test
  void anAddOfAKnownElementNoticesANewRebuild() {
    open(name);
    assertNoticedAlthoughTheSegmentExists();
  }

  @Test
  void anAddAfterAnAbortNoticesThatTheNextGenerationIsGone() {
    open(name);
    before = live(name);
    var next = next(name);
    assertDone(stores.abort(name));
    var block = block(3);
    assertEquals(
        List.of(Optional.empty(), Optional.empty()),
        groups(group(before, ask(0, known)), group(next, append(0, Known.NOTHING_YET, block))));
    assertFalse(exists(next, 0));
  }

  @Test
  void anAddNoticesThatARebuildHasTimedOut() {
    open(name);
    before = live(name);
    var next = next(name);
    redis.command("PEXPIRE", next.stateKey(), "0");
    var block = block(3);
    var replies =
        groups(
            group(before, append(0, known, block)),
            group(next, append(0, Known.NOTHING_YET, block)));
    assertTrue(replies.get(0).isPresent());
    assertEquals(Optional.empty(), replies.get(1));
    assertFalse(exists(next, 0));
  }

  /** The add would be written next to the new rebuild and be lost. */
  @Test
  void anAddNoticesThatAnotherRebuildFollowed() {
    open(name);
    var next = next(name);
    commit();
    open(name);
    var block = block(3);
    assertEquals(
        List.of(Optional.empty()), groups(group(next, append(0, Known.NOTHING_YET, block))));
  }

  @Test
  void aTestNoticesANewLayer() {
    assertDone(filters.grow(before, random(), "{\"layers\": 2}"));
    assertNoticedAlthoughTheSegmentExists();
  }

  @Test
  void anEvictedStateIsGone() {
    redis.command("DEL", before.stateKey());
    assertNoticedAlthoughTheSegmentExists();
  }

  /** Adds and a new expiry do not change the generation, the rebuild or the parameters. */
  @Test
  void nothingElseChangesTheVersion() {
    appended(before, 1, Known.NOTHING_YET);
    assertDone(expire(name, Optional.of(LATER)));
    assertEquals(before.version(), found(name).state().version());
    assertTrue(question().isPresent());
  }
}
