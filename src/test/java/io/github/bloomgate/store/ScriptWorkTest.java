package io.github.bloomgate.store;

import static io.github.bloomgate.support.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptWork;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.segment.SegmentField;
import io.github.bloomgate.segment.SegmentFormat;
import io.github.bloomgate.store.StoredContent.Raw;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.OneNodeCluster;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.impl.ZModem;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Promise 7: no call of any script blocks Redis, even with the most segments that a filter has.
 * Uses at most a quarter of the time, because other machines are slower. The Redis is a cluster of
 * one node, so it refuses keys of different slots. A larger one would also refuse undeclared keys.
 */
@Tag("slow")
@OnRedis({"--cluster-enabled", "yes"})
class ScriptWorkTest extends ScriptsOfFilters {

  private static final double MOST_MICROS = 2_500;

  private static final int SEGMENTS = 4_096;

  private static final Written ALL = written(IntStream.range(0, SEGMENTS).toArray());

  private static final SegmentFormat LARGEST =
      new SegmentFormat(1 << 21, 8, new SegmentFormat.Fixed(0));

  private static List<ScriptWork.Call> calls;

  @BeforeAll
  static void start() {
    OneNodeCluster.assignSlots(redis);
    try (var work = new ScriptWork(redis)) {
      useStates();
      useFew();
      useSegments();
      useRaw();
      useNames();
      useSources();
      calls = work.calls();
    }
  }

  /** Another name in the same slot, for renames. */
  private static FilterName nameInSlotOf(FilterName name) {
    return Stream.generate(ScriptsOfFilters::name)
        .filter(other -> ZModem.generate(Keys.state(other)) == ZModem.generate(Keys.state(name)))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @EnumSource
  void noCallBlocksRedis(Script script) {
    var its = calls.stream().filter(call -> call.script() == script).toList();
    assertFalse(its.isEmpty(), script + " was not called");
    for (var call : its) {
      assertTrue(call.micros() <= mostMicros(script), "about " + call.micros() + " microseconds");
      assertTrue(call.keys().containsAll(call.used()), "undeclared keys in " + call.used());
    }
  }

  /**
   * Setting an expiry changes the segments of both generations. A commit checks all segments before
   * it changes the first.
   */
  private static double mostMicros(Script script) {
    return script == Script.EXPIRE || script == Script.COMMIT ? 2 * MOST_MICROS : MOST_MICROS;
  }

  /** Writes all segments of a generation, with little content. */
  private static void write(StoredGeneration generation) {
    write(generation, ALL);
  }

  private static void write(StoredGeneration generation, Written written) {
    var pairs = new ArrayList<String>();
    for (var key : written.keys(generation.content())) {
      pairs.addAll(List.of(key, "x".repeat(80)));
    }
    redis.command("MSET", pairs.toArray(String[]::new));
    // The Redis client of the tests only sends text.
    TestLink.await(
        link.link()
            .send(
                Request.cmd(Command.HSET)
                    .arg(generation.stateKey())
                    .arg("written")
                    .arg(written.bytes()),
                Effect.WRITE));
  }

  private static void drop(Optional<FilterName> name, Dropped dropped) {
    for (var from = 0; filters.drop(name, dropped, from); ) {
      from += FilterStore.MAX_SEGMENTS_PER_CALL;
    }
  }

  private static void useStates() {
    var name = name();
    created(name);
    write(live(name));
    var asked =
        IntStream.range(0, FilterStore.MAX_SEGMENTS_PER_CALL)
            .mapToObj(i -> new FilterStore.Asked(live(name), i, FORMAT))
            .toList();
    var read =
        assertInstanceOf(FindReply.Found.class, TestLink.await(filters.find(name, false, asked)));
    assertEquals(asked.size(), read.headers().size());
    assertDone(expire(name, Optional.of(LATER)));
    assertDone(expire(name, Optional.empty()));
    assertDone(filters.grow(live(name), random(), "{}"));
    open(name);
    write(next(name));
    redis.command(
        "HSET", Keys.next(name), "expiresAt", String.valueOf(System.currentTimeMillis() + 60_000));
    assertDone(TestLink.await(rebuilds.loaded(next(name), 1, ALL)));
    var both = found(name);
    assertDone(
        filters.expire(
            name,
            both.state(),
            random(),
            both.next(),
            NewExpiry.at(LATER),
            List.of(),
            Optional.empty()));
    drop(Optional.of(name), dropped(stores.commit(name, found(name).state())).orElseThrow());
    open(name);
    write(next(name));
    drop(Optional.empty(), dropped(stores.abort(name)).orElseThrow());
    var other = nameInSlotOf(name);
    created(other);
    write(live(other));
    var replaced =
        filters.rename(
            name, other, live(name).version(), false, List.of(), replaced(live(other).version()));
    drop(Optional.of(other), dropped(replaced).orElseThrow());
    var cleared = stores.clear(other, Written.NONE);
    drop(Optional.of(other), dropped(cleared).orElseThrow());
    write(live(other));
    assertDone(delete(live(other), ALL));
  }

  /** Changes filters with as many segments as a change's script drops and reads headers of. */
  private static void useFew() {
    var few = written(IntStream.range(0, 64).toArray());
    var name = name();
    var other = nameInSlotOf(name);
    created(name);
    created(other);
    write(live(name), few);
    write(live(other), few);
    var asked =
        Arrays.stream(few.indexes())
            .mapToObj(i -> new FilterStore.Asked(live(name), i, FORMAT))
            .toList();
    var state = found(name).state();
    assertIsAsFound(
        name,
        asked,
        filters.expire(
            name, state, random(), Optional.empty(), NewExpiry.at(LATER), asked, Optional.empty()));
    var replaced = found(other).state();
    var renamed =
        filters.rename(
            name,
            other,
            state.version(),
            false,
            asked,
            RemovedFilter.of(replaced, Optional.empty()));
    assertEquals(Optional.empty(), dropped(renamed));
    assertEquals(Optional.empty(), dropped(stores.clear(other, found(other).state().written())));
    write(live(other), few);
    open(other);
    write(next(other));
    assertEquals(Optional.empty(), dropped(stores.commit(other, found(other).state())));
  }

  private static void useSegments() {
    var name = name();
    created(name);
    var live = live(name);
    // The most segments and bytes of a call.
    var first =
        IntStream.range(0, 600)
            .mapToObj(i -> append(i, Known.NOTHING_YET, block(1_000)))
            .toArray(SegmentGroup.Question[]::new);
    advance(live, LARGEST, first);
    var questions =
        Arrays.stream(first)
            .map(one -> append(one.segment(), Known.NOTHING_YET.with(one.block()), block(1_000)))
            .toArray(SegmentGroup.Question[]::new);
    advance(live, LARGEST, questions);
    advance(live, LARGEST, first);
    var group = new SegmentGroup(live, LARGEST, List.of(questions));
    // The Redis has no replicas.
    assertFails(ErrorCode.NOT_REPLICATED, segments.confirm(group));
    var block = block(1 << 20);
    var small = block(3);
    advance(live, LARGEST, append(600, Known.NOTHING_YET, small));
    var begin = Known.NOTHING_YET.with(small);
    assertEquals(FoldReply.DONE, fold(begin.of(live, 600, LARGEST, 0)));
    advance(live, LARGEST, append(600, begin, block));
    var known = begin.with(block);
    assertEquals(FoldReply.DONE, fold(begin.of(live, 600, LARGEST, begin.position())));
    assertEquals(FoldReply.DONE, fold(known.of(live, 600, LARGEST, begin.position())));
    var fields = new SegmentField[SegmentCopy.MOST_FIELDS];
    Arrays.setAll(fields, i -> new SegmentField(8_000L * i, 1, 1));
    var patched = known.of(live, 600, LARGEST, known.position());
    assertEquals(FoldReply.DONE, TestLink.await(segments.patch(patched, List.of(fields))));
    var entries = new byte[3 * Bits.MAX_PER_CALL];
    for (var i = 0; i < entries.length; i++) {
      entries[i] = (byte) (31 * i);
    }
    var bits = new SegmentBits(live, 600, LARGEST, entries, mark());
    TestStores.test(segments, bits);
    TestStores.add(segments, bits);
    TestLink.await(segments.bits(fewOfMany(live), Effect.READ));
    TestLink.await(segments.bits(fewOfMany(live), Effect.WRITE));
  }

  /** The most segments and bits of a bit-by-bit call. All of them use the same segment. */
  private static List<Bits> fewOfMany(StoredGeneration live) {
    return IntStream.range(0, 128)
        .<Bits>mapToObj(
            i -> {
              var entries = new byte[3 * 2 * 8];
              for (var at = 0; at < entries.length; at++) {
                entries[at] = (byte) (37 * i + 11 * at);
              }
              return new SegmentBits(live, 600, LARGEST, entries, mark());
            })
        .toList();
  }

  private static void useRaw() {
    var raws = new RawStore(link.scripts(), link.link());
    var scheme = HashSchemes.named("rueidisprob").orElseThrow();
    // A step of growth is estimated like allocating the whole string, so there are only two.
    var parameters = FilterParameters.forShape(scheme, 1L << 26, 8, WhenFull.ACCEPT);
    var name = name();
    var key = AdoptedKey.of(scheme, "of {" + name + "}");
    var bitmap = new AdoptedBitmap(key, parameters);
    assertDone(raws.adopt(name, state(name, Optional.of(LATER)), bitmap, true));
    var raw = new Raw(live(name), parameters.shape(), Optional.of(bitmap));
    var offsets = ByteBuffer.allocate(Integer.BYTES * Bits.MAX_PER_CALL);
    for (var i = 0; i < Bits.MAX_PER_CALL; i++) {
      offsets.putInt((1 << 15) * i);
    }
    var bits = new RawBits(raw, offsets.array(), 0);
    while (TestStores.add(segments, bits) instanceof BitsReply.Postponed) {
      // It grows by one step in each call.
    }
    TestStores.test(segments, bits);
    var bytes = new byte[RawStore.MAX_BYTES];
    TestLink.await(raws.fill(raw, 0, bytes, 1));
    TestLink.await(raws.read(raw, 0, RawStore.MAX_BYTES));
    TestLink.await(raws.counts(raw));
  }

  private static void useNames() {
    var owner = random();
    var expiry = Optional.of(Instant.ofEpochMilli(1));
    for (var i = 0; i < 200; i++) {
      names.confirm("", new NameStore.Usage(name(), 1, owner, expiry), false);
    }
    var quota = new Quota("", 1, 0);
    var name = name();
    var usage = new NameStore.Usage(name, 1, owner, expiry);
    assertInstanceOf(
        NameReply.OverQuota.class,
        names.reserve("", usage, Duration.ofMinutes(1), quota, Quota.NONE));
    names.leave(name, "", false);
    names.confirm("", usage, name(), "");
  }

  private static void useSources() {
    var name = name();
    created(name);
    sources.attach(name, source("x"), Optional.empty());
    sources.claim(name, "a run", SourceStore.When.NOW);
    sources.renew(name, "a run");
    sources.giveBack(name, "a run", 0);
    sources.ran(name, new EndedRun("a run", SourceScriptsTest.run(1), Optional.empty()));
    sources.reschedule(name, Optional.empty(), Optional.empty());
    sources.release(name);
    for (var i = 0; i < 200; i++) {
      agenda.enter(name(), Instant.ofEpochMilli(1));
    }
    assertEquals(100, agenda.due(100).size());
    useMembers();
  }

  private static void useMembers() {
    var members = new SourceMembers(link.scripts());
    for (var fill : List.of("SADD", "RPUSH")) {
      var key = Stream.of(fill + "-many");
      var elements = IntStream.range(0, 20_000).mapToObj(Integer::toString);
      redis.command(fill, Stream.concat(key, elements).toArray(String[]::new));
      var source = new Origin.RedisKey(fill + "-many");
      members.after(members.first(source), source);
    }
  }
}
