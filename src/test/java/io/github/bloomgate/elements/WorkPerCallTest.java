package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.model.source.Schedule;
import io.github.bloomgate.model.source.Source;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptWork;
import io.github.bloomgate.store.FoundFilters;
import io.github.bloomgate.store.Move;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Law 7: no call holds Redis up, of whichever script, whatever the size of a native filter or of a
 * batch. Half of it is spare: other machines are slower.
 */
@Tag("slow")
class WorkPerCallTest extends LargestFilters {

  private static final double MOST_MICROS = 2_500;

  private static final Map<Use, List<ScriptWork.Call>> SEEN = new EnumMap<>(Use.class);

  private enum Use {
    BITS,
    BITMAPS,
    JOURNAL,
    LIFE,
    LISTS,
    SEGMENTS,
    ADOPTED,
    SOURCE,
    QUOTAS,
    MOVES,
    GROWTH,
    COUNTERS,
    HEALTH
  }

  @AfterAll
  static void forget() {
    SEEN.clear();
  }

  @ParameterizedTest
  @EnumSource(Script.class)
  void noCallHoldsRedisUp(Script script) {
    var calls =
        SEEN.computeIfAbsent(largestUse(script), WorkPerCallTest::calls).stream()
            .filter(call -> call.script() == script)
            .toList();
    assertFalse(calls.isEmpty(), script + " was not called");
    for (var call : calls) {
      assertTrue(call.micros() <= MOST_MICROS, "about " + call.micros() + " microseconds");
    }
  }

  /** A script that is new needs a case here: what makes it work most. */
  private static Use largestUse(Script script) {
    return switch (script) {
      case ADD, TEST -> Use.BITS;
      case READ, UNION -> Use.BITMAPS;
      case ADVANCE, FOLLOW, FOLD, REPLAY -> Use.JOURNAL;
      case DESCRIBE, FIND, CREATE, CLEAR, EXPIRE, DELETE, RENAME, OPEN, LOADED, COMMIT, ABORT ->
          Use.LIFE;
      case GLANCE -> Use.LISTS;
      case VERIFY, OUTLINE, RECONCILE, ACTIVATE, FREE, FINISH, INTEND, INTENTS, RESOLVE ->
          Use.SEGMENTS;
      case COUNT, ADOPT, CONFIG -> Use.ADOPTED;
      case ATTACH, DETACH, ORIGIN, CLAIM, RENEW, RAN, SCHEDULE, DUE, RESCHEDULE -> Use.SOURCE;
      case RESERVE, MADE, COUNTED, RECOUNT, TOTAL, TALLY -> Use.QUOTAS;
      case MOVE_OPEN,
          MOVE_FENCE,
          MOVE_READ,
          MOVE_WRITE,
          MOVE_COMMIT,
          MOVE_HOLD,
          MOVE_DECIDE,
          MOVE_END,
          MOVE_CLOSE ->
          Use.MOVES;
      case PLAN_LAYER, OPEN_LAYER -> Use.GROWTH;
      case REMOVE, MULTIPLICITY -> Use.COUNTERS;
      case PING -> Use.HEALTH;
    };
  }

  private static List<ScriptWork.Call> calls(Use use) {
    work.calls();
    switch (use) {
      case BITS -> useBits();
      case BITMAPS -> useBitmaps();
      case JOURNAL -> useJournal();
      case LIFE -> useLife();
      case LISTS -> useLists();
      case SEGMENTS -> useSegments();
      case ADOPTED -> useAdopted();
      case SOURCE -> useSource();
      case QUOTAS -> useQuotas();
      case MOVES -> useMoves();
      case GROWTH -> useGrowth();
      case COUNTERS -> useCounters(plain);
      case HEALTH -> await(link.scripts().run(Script.PING, List.of("none"), request -> {}));
    }
    return work.calls();
  }

  private static void useMoves() {
    var from = filled().name();
    var to = filled().name();
    service.openings.open(from, same -> same, AN_HOUR);
    var moves = service.stores.moves();
    var move = Move.begin(from, to);
    moves.open(move);
    var departure = moves.fence(move).orElseThrow();
    moves.copy(move, departure);
    moves.commit(move, departure, true);
    moves.replicate(move);
    moves.end(move, true);
  }

  private static void useLife() {
    var name = filled().name();
    var replaced = filled().name();
    service.renames.rename(name, replaced, true);
    for (var commits : List.of(true, false)) {
      var next = service.openings.open(replaced, same -> same, AN_HOUR);
      await(service.loads.load(next, elements("next", MANY)));
      if (commits) {
        service.rebuilds.commit(next, 1, NewDeadline.KEEP);
      } else {
        service.rebuilds.abort(next);
      }
    }
    service.changes.expire(replaced, Optional.of(Instant.now().plus(AN_HOUR)));
    service.changes.clear(replaced);
    service.changes.delete(replaced, false);
  }

  /** As many filters as one call reads, all of the most layers and with a source. */
  private static void useLists() {
    var growth = new Growth(1, Growth.MAX_SIZE_BYTES);
    var name = name();
    service.create(name, FilterParameters.growing(HashSchemes.nativeScheme(), 1, 0.01, growth));
    service.add(name, elements("e", Growth.MAX_LAYERS));
    assertEquals(Growth.MAX_LAYERS, service.describe(name).layers().size());
    var origin = new Origin.RedisKey("source of " + name);
    service.sources.attach(name, new Source(origin, new Schedule.Every(AN_HOUR), false));
    await(service.stores.found().read(Collections.nCopies(FoundFilters.AT_ONCE, name)));
  }

  private static void useSegments() {
    var filter = service.create(name(), SEVERAL);
    service.add(filter.name(), elements("e", MANY));
    service.assertMaybe(filter.name(), elements("e", MANY));
    service.changes.clear(filter.name());
    service.add(filter.name(), elements("e", MANY));
    service.changes.delete(filter.name(), false);
    service.stores.intents().notedBefore(Instant.now());
  }

  private static void useSource() {
    var name = service.create(name(), LARGEST).name();
    var key = "source of " + name;
    redis.command("RPUSH", key, "element");
    var schedule = new Schedule.Every(AN_HOUR);
    service.sources.attach(name, new Source(new Origin.RedisKey(key), schedule, false));
    service.runs.start(name).join();
    service.sources.find(name);
    service.stores.agenda().enter(name, Instant.EPOCH);
    for (var due : service.stores.agenda().due()) {
      service.stores.agenda().reschedule(due, Optional.empty());
    }
    service.sources.detach(name);
  }

  private static void useQuotas() {
    var prefix = name() + "x".repeat(80);
    for (var i = 0; i < 1_000; i++) {
      service.stores.totals().reserve(new FilterName(prefix + i), 1, List.of());
    }
    var quota = new Quota(Optional.of("key"), List.of(prefix), 10_000, 1L << 40);
    var last = new FilterName(prefix + "last");
    service.creations.create(last, LARGEST, Optional.empty(), quota);
    service.stores.usage().of(List.of(prefix));
  }
}
