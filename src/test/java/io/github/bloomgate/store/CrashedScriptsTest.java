package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.IdleExpiry;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.redis.AppendOnlyFile;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.segment.SegmentField;
import io.github.bloomgate.support.OnRedis;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Redis is killed during a script, and restores only its first writes, as some versions do. The
 * filter must then be completely as before or as after, even after a second crash.
 */
@Tag("faults")
@OnRedis({"--appendonly", "yes", "--appendfsync", "always"})
class CrashedScriptsTest extends ScriptsOfFilters {

  private final FilterName name = name();
  private final FilterName newName = name();

  /** The position up to which a fold contains the first segment. */
  private Known folded;

  /** The acknowledged positions and marks, by the keys of the segments. */
  private final Map<String, Known> acknowledged = new HashMap<>();

  private enum Change {
    FIRST_BLOCKS,
    FOLD,
    JOIN,
    BITS,
    PATCH,
    CREATE,
    EXPIRE_LATER,
    EXPIRE_EARLIER,
    EXPIRE_NEVER,
    EXPIRE_WHEN_IDLE,
    CLEAR,
    DROP,
    DELETE,
    RENAME,
    REPLACE,
    OPEN,
    RENEW,
    COMMIT,
    ABORT,
    ATTACH,
    RELEASE
  }

  @ParameterizedTest
  @EnumSource
  void everyPrefixOfItsWritesIsAValidState(Change change) throws IOException {
    prepare(change);
    var before = Map.copyOf(acknowledged);
    var file = new AppendOnlyFile(redis.folder());
    var length = file.length();
    make(change);
    kill();
    var whole = file.bytes();
    var commands = file.commandsFrom(length);
    assertFalse(commands.isEmpty(), "the change writes nothing");
    for (var kept = 0; kept <= commands.size(); kept++) {
      file.restore(whole);
      file.keep(length, commands.subList(0, kept));
      acknowledged.clear();
      acknowledged.putAll(before);
      restart();
      checkAndUse(change);
      kill();
      restart();
      checkAndUse(change);
      kill();
    }
    file.restore(whole);
    restart();
  }

  private static void kill() {
    link.close();
    redis.kill();
  }

  private static void restart() {
    redis.start();
    link = new TestLink(redis.options());
    useStores();
  }

  private void prepare(Change change) {
    if (change == Change.CREATE) {
      return;
    }
    var isDated =
        Set.of(Change.EXPIRE_LATER, Change.EXPIRE_NEVER, Change.EXPIRE_WHEN_IDLE).contains(change);
    created(name, isDated ? Optional.of(LATER) : Optional.empty());
    add(name, false, 0, 2);
    switch (change) {
      case DROP -> {
        assertDone(stores.clear(name, Written.NONE));
        acknowledged.clear();
      }
      case RENEW, COMMIT, ABORT -> {
        open(name);
        add(name, true, 0, 1);
        if (change == Change.RENEW) {
          redis.command(
              "HSET",
              Keys.next(name),
              "expiresAt",
              String.valueOf(System.currentTimeMillis() + 600_000));
        }
      }
      case RELEASE -> sources.attach(name, source("x"), Optional.empty());
      case REPLACE -> {
        created(newName);
        add(newName, false, 1);
      }
      case FOLD -> {
        folded = acknowledged.get(live(name).segmentKey(0));
        add(name, false, 0);
      }
      case BITS -> {
        folded = acknowledged.get(live(name).segmentKey(0));
        assertEquals(FoldReply.DONE, fold());
      }
      default -> {}
    }
  }

  private void make(Change change) {
    var live = change == Change.CREATE ? null : live(name);
    switch (change) {
      case FIRST_BLOCKS ->
          advance(
              live,
              FORMAT,
              append(4, Known.NOTHING_YET, block(3)),
              append(9, Known.NOTHING_YET, block(3)));
      case FOLD -> assertEquals(FoldReply.DONE, fold());
      case JOIN -> {
        var bytes = SegmentText.folded(FORMAT, 1L << 30, mark());
        assertEquals(FoldReply.DONE, fold(ScriptsOfFilters.unwritten(live, 7), bytes));
      }
      case BITS -> {
        var bits = new SegmentBits(live, 0, FORMAT, new byte[] {0, 0, 0, 0, 0, 2}, mark());
        assertInstanceOf(BitsReply.Verdicts.class, TestStores.add(segments, bits));
      }
      case PATCH -> {
        var known = acknowledged.get(live.segmentKey(0));
        var folded = new SegmentField(8L * (16 + SegmentText.FOLDED), 64, known.position());
        var bitsSet = new SegmentField(8L * (16 + SegmentText.BITS_SET), 64, 1);
        var fields = List.of(folded, bitsSet, new SegmentField(3, 1, 1));
        var patch = segments.patch(known.of(live, 0, FORMAT, 0), fields);
        assertEquals(FoldReply.DONE, TestLink.await(patch));
      }
      case CREATE -> created(name, Optional.of(LATER));
      case EXPIRE_LATER -> assertDone(expire(name, Optional.of(LATER.plusSeconds(7_200))));
      case EXPIRE_EARLIER -> assertDone(expire(name, Optional.of(LATER)));
      case EXPIRE_NEVER -> assertDone(expire(name, Optional.empty()));
      case EXPIRE_WHEN_IDLE -> {
        var idle = new IdleExpiry(Duration.ofDays(9), true);
        assertDone(expire(name, found(name).state(), NewExpiry.whenIdle(idle)));
      }
      case CLEAR -> assertDone(stores.clear(name, found(name).state().written()));
      case DROP -> filters.drop(Optional.of(name), found(name).state().dropped().orElseThrow(), 0);
      case DELETE -> {
        var written = found(name).state().written();
        assertDone(delete(live, written));
      }
      case RENAME -> assertDone(rename(RemovedFilter.NONE));
      case REPLACE -> {
        var replaced = found(newName).state();
        assertDone(rename(RemovedFilter.of(replaced, Optional.empty())));
      }
      case OPEN -> open(name);
      case RENEW -> assertDone(TestLink.await(rebuilds.loaded(next(name), 3, written(0, 1))));
      case COMMIT -> assertDone(stores.commit(name, found(name).state()));
      case ABORT -> assertDone(stores.abort(name));
      case ATTACH -> sources.attach(name, source("x"), Optional.empty());
      case RELEASE -> sources.release(name);
    }
  }

  private ChangeReply rename(RemovedFilter replaced) {
    return filters.rename(name, newName, live(name).version(), false, List.of(), replaced);
  }

  private FoldReply fold() {
    return fold(folded.of(live(name), 0, FORMAT, 0));
  }

  private void add(FilterName its, boolean toNext, int... indexes) {
    var generation = toNext ? next(its) : live(its);
    for (var index : indexes) {
      var key = generation.segmentKey(index);
      var known = acknowledged.getOrDefault(key, Known.NOTHING_YET);
      var block = block(3);
      var reply = advance(generation, append(index, known, block));
      var followed = assertInstanceOf(SegmentReply.Followed.class, reply, key);
      known = new Known(known.position() + followed.blocks().length, ZEROS);
      acknowledged.put(key, known.with(block));
    }
  }

  /** Every existing filter is whole, and accepts adds. */
  private void checkAndUse(Change change) {
    var isThere = isThere(name);
    var isRenamed = isThere(newName);
    switch (change) {
      case CREATE -> assertTrue(!isRenamed);
      case DELETE -> {
        if (!isThere) {
          assertDone(filters.create(name, state(name)));
          isThere = true;
        }
      }
      case RENAME -> assertTrue(isThere != isRenamed, "exactly one of the names has it");
      case REPLACE -> assertTrue(isRenamed, "the new name has a filter");
      default -> assertTrue(isThere && !isRenamed);
    }
    for (var its : List.of(name, newName)) {
      if (isThere(its)) {
        check(its);
        add(its, false, 0, 6);
        check(its);
      }
    }
  }

  private boolean isThere(FilterName its) {
    var reply = TestLink.await(filters.find(its, false, List.of()));
    if (reply instanceof FindReply.Unfinished unfinished) {
      assertDone(filters.delete(its, unfinished.filter(), Optional.empty()));
      return false;
    }
    return reply instanceof FindReply.Found;
  }

  private void check(FilterName its) {
    var found = found(its);
    if (found.state().hasSource()) {
      assertTrue(exists(Keys.source(its)), "the source is there");
    }
    var generations = new ArrayList<>(List.of(live(its)));
    if (found.next().isPresent()) {
      generations.add(next(its));
    }
    for (var generation : generations) {
      var state = generation.isNext() ? found.next().orElseThrow() : found.state();
      var left = redis.command("PTTL", generation.stateKey()).toLong();
      assertEquals(state.expiresAt().isPresent(), left >= 0, "the expiry of the state");
      for (var index : state.written().indexes()) {
        var key = generation.segmentKey(index);
        var text = new SegmentText(bytes(generation, index), FORMAT);
        if (text.number(SegmentText.FOLDED) == text.known().position()) {
          assertEquals(text.bitCount(), text.number(SegmentText.BITS_SET), "the bits of " + key);
        }
        assertEquals(SegmentReply.SAME, advance(generation, ask(index, text.known())));
        // A caller that knows another history makes the script check the whole header.
        var other = new Known(text.known().position(), mark());
        assertEquals(new SegmentReply.Reread(), advance(generation, ask(index, other)));
        var remaining = redis.command("PTTL", key).toLong();
        assertTrue(
            remaining == -1 || (left >= 0 && remaining >= left - 60_000), key + " goes too soon");
      }
      acknowledged.forEach(
          (key, known) -> {
            if (key.startsWith(generation.segmentKey(0).replaceAll("0$", ""))) {
              var index = Integer.parseInt(key.substring(key.lastIndexOf(':') + 1));
              if (!state.written().contains(index)) {
                fail(key + " is not listed");
              }
              var reply = advance(generation, ask(index, known));
              assertTrue(
                  reply instanceof SegmentReply.Followed,
                  key + " lacks what was acknowledged: " + reply);
            }
          });
    }
  }
}
