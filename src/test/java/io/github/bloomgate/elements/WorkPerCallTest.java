package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static io.github.bloomgate.support.TestInstance.shape;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FileFormat;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.Shapes;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.model.source.Schedule;
import io.github.bloomgate.model.source.Source;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptWork;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.FoundFilters;
import io.github.bloomgate.store.Move;
import io.github.bloomgate.store.SegmentStore;
import io.github.bloomgate.support.TestInstance;
import io.github.bloomgate.support.TestWindows;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Law 7: no call holds Redis up, of whichever script, whatever the size of a native filter or of a
 * batch. Half of it is spare: other machines are slower.
 */
@Tag("slow")
class WorkPerCallTest {

  private static final double MOST_MICROS = 2_500;

  private static final int MANY = ElementService.MAX_ELEMENTS;
  private static final Duration AN_HOUR = Duration.ofHours(1);

  /** As large as a segment of a native filter can be. */
  private static final FilterParameters LARGEST = shape(1L << 24, 7);

  /** A library's bitmap of 64 MiB. */
  private static final long HUGE = 1L << 29;

  private static final Map<Use, List<ScriptWork.Call>> SEEN = new EnumMap<>(Use.class);

  private static TestRedis redis;
  private static TestInstance service;
  private static TestInstance plain;
  private static TestLink link;
  private static ScriptWork work;

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

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    service = new TestInstance(redis);
    plain = TestInstance.withoutCopies(redis);
    link = new TestLink(redis.options());
    work = new ScriptWork(redis);
  }

  @AfterAll
  static void stop() {
    work.close();
    link.close();
    plain.close();
    service.close();
    redis.close();
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

  private static void useBits() {
    for (var parameters : List.of(LARGEST, shape(1L << 24, 255))) {
      var name = plain.create(name(), parameters).name();
      var some =
          elements(
              "e",
              MANY * LARGEST.shape().numHashFunctions() / parameters.shape().numHashFunctions());
      plain.add(name, some);
      plain.assertMaybe(name, some);
    }
    for (var slices : List.of(Window.MIN_SLICES, Window.MAX_SLICES)) {
      var filter = windowed(plain, slices);
      for (var turn = 0; turn <= slices; turn++) {
        plain.add(filter.name(), elements("t" + turn + " ", 20));
        TestWindows.turn(plain, filter, 1);
      }
      TestWindows.turn(plain, filter, slices);
      plain.add(filter.name(), elements("e", 200));
    }
    useCounters(plain);
  }

  /** Few counters for an element and many, in the largest segment. */
  private static void useCounters(TestInstance instance) {
    for (var p : List.of(0.25, 0.01, 1e-12)) {
      var filter = counting(instance, p);
      for (var batch = 0; batch < 3; batch++) {
        instance.add(filter.name(), elements("e" + batch + " ", 1_000));
        instance.test(filter.name(), elements("e", 1_000));
        instance.count(filter.name(), elements("e" + batch + " ", 1_000));
        instance.remove(filter.name(), elements("e" + batch + " ", 500));
      }
    }
  }

  private static Filter counting(TestInstance instance, double p) {
    var bits = Shapes.shapeFor(HashSchemes.nativeScheme(), 1_000, p).bitSize();
    var parameters =
        FilterParameters.counting(
            HashSchemes.nativeScheme(), 1_000 * ((1L << 22) / bits) - 10_000, p, WhenFull.ACCEPT);
    assertEquals(1, parameters.shape().segments());
    return instance.create(name(), parameters);
  }

  /** The largest segment, of few long slices and of many short ones. */
  private static Filter windowed(TestInstance instance, int slices) {
    var window = TestWindows.years(slices, true);
    var parameters = FilterParameters.windowed(HashSchemes.nativeScheme(), 800_000, 0.01, window);
    assertEquals(1, parameters.shape().segments());
    return instance.create(name(), parameters);
  }

  private static void useGrowth() {
    var name = service.create(name(), GrowTest.growing(100, 0.01, Growth.MAX_SIZE_BYTES)).name();
    service.add(name, elements("e", MANY));
  }

  private static void useBitmaps() {
    var filter = filled();
    var segments = service.stores.segments();
    var bytes =
        new byte[(int) Math.min(SegmentStore.MAX_UNION_BYTES, filter.shape().segmentBytes())];
    new Random(1).nextBytes(bytes);
    await(segments.union(filter, 0, 0, bytes, 1));
    await(segments.union(filter, 0, 0, bytes, 1));
    service.copies.copy(
        filter.name(), name(), false, Optional.empty(), Quota.NONE, TestInstance.STAYS);
    var other = filled();
    service.merges.merge(
        filter.name(), List.of(other.name()), OptionalDouble.empty(), TestInstance.STAYS);
    export(filter.name());
    useAdopted();
  }

  private static void useJournal() {
    for (var parameters : List.of(LARGEST, shape(1L << 24, 255))) {
      var filter = service.create(name(), parameters);
      service.add(filter.name(), elements("e", MANY));
      for (var batch = 0; batch < 60; batch++) {
        service.add(filter.name(), elements("j" + batch + " ", 300));
      }
      await(service.stores.journals().replay(filter, 0, true));
    }
    for (var slices : List.of(Window.MIN_SLICES, Window.MAX_SLICES)) {
      var filter = windowed(service, slices);
      service.add(filter.name(), elements("e", MANY));
      for (var batch = 0; batch < 3; batch++) {
        service.add(filter.name(), elements("j" + batch + " ", 50));
        TestWindows.turn(service, filter, 1);
      }
      await(service.stores.journals().replay(filter, 0, true));
    }
    for (var p : List.of(0.25, 1e-12)) {
      var filter = counting(service, p);
      service.add(filter.name(), elements("e", MANY));
      for (var batch = 0; batch < 20; batch++) {
        service.add(filter.name(), elements("j" + batch + " ", 300));
        service.remove(filter.name(), elements("j" + batch + " ", 300));
      }
      await(service.stores.journals().replay(filter, 0, true));
    }
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

  private static Filter filled() {
    var filter = service.create(name(), LARGEST);
    service.add(filter.name(), elements("a", MANY));
    service.add(filter.name(), elements("b", MANY));
    return filter;
  }

  private static void export(FilterName name) {
    try {
      service.exports.begin(name, FileFormat.BLOOMGATE).writeTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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

  private static void useAdopted() {
    var scheme = HashSchemes.named("redisson").orElseThrow();
    var parameters = FilterParameters.forShape(scheme, HUGE, 3, WhenFull.ACCEPT);
    var name = name();
    var key = "lib of " + name;
    redis.command("SETBIT", key, Long.toString(HUGE - 1), "1");
    redis.command(
        "HSET", "{" + key + "}:config", "size", Long.toString(HUGE), "hashIterations", "3");
    service.adoptions.adopt(name, key, scheme, Optional.empty(), Optional.empty(), Quota.NONE);
    assertTrue(service.describe(name).filter().parameters().shape().equals(parameters.shape()));
    export(name);
    service.changes.delete(name, true);
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
