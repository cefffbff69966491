package io.github.bloomgate.store;

import static io.github.bloomgate.support.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.ContentId;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.StoredJson;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.model.source.Schedule;
import io.github.bloomgate.model.source.Source;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.segment.SegmentFormat;
import io.github.bloomgate.support.OnRedis;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.BeforeAll;

/** Tests of the scripts of one slot. */
@OnRedis
abstract class ScriptsOfFilters {

  /** Bitmaps of 16 bytes, and elements of two bits. */
  static final SegmentFormat FORMAT = new SegmentFormat(16, 2, new SegmentFormat.Fixed(0));

  /** An expiry so far away that no delay matters. */
  static final Instant LATER = Instant.ofEpochMilli(System.currentTimeMillis() + 3_600_000);

  /** New segments have no bitmap. */
  static final SegmentFormat LARGE = new SegmentFormat(1 << 17, 2, new SegmentFormat.Fixed(0));

  static final Duration AN_HOUR = Duration.ofHours(1);
  static final byte[] ZEROS = new byte[8];
  static final byte[] NOTHING = {};

  static TestRedis redis;
  static TestLink link;
  static TestStores stores;
  static SegmentStore segments;
  static FilterStore filters;
  static RebuildStore rebuilds;
  static NameStore names;
  static SourceStore sources;
  static Agenda agenda;

  @BeforeAll
  static void useStores() {
    stores = TestStores.of(link);
    segments = stores.segments();
    filters = stores.filters();
    rebuilds = stores.rebuilds();
    names = new NameStore(link.scripts(), link.link());
    sources = new SourceStore(link.scripts(), link.link());
    agenda = new Agenda(link.scripts());
  }

  static FilterName name() {
    return new FilterName("n" + UUID.randomUUID());
  }

  static String random() {
    return TestStores.random();
  }

  static byte[] mark() {
    var mark = new byte[8];
    ThreadLocalRandom.current().nextBytes(mark);
    return mark;
  }

  static FilterState state(FilterName name) {
    return state(name, Optional.empty());
  }

  static FilterState state(FilterName name, Optional<Instant> expiry) {
    return TestStores.state(name, "{}", random(), expiry, false);
  }

  /** The view of a caller that knows no segment, so the content must be dropped later. */
  static FilterState known(FilterName name, String version, boolean hasSource) {
    return TestStores.state(name, "{}", version, Optional.empty(), hasSource);
  }

  /** A generation to be loaded. */
  static FilterState loading(FilterState state, Duration idleTimeout, String run) {
    return state.withLoading(
        new FilterState.Loading(0, idleTimeout, Optional.of(run).filter(its -> !its.isEmpty())));
  }

  static void assertWrongType(String key, Uni<FindReply> found) {
    var failure = assertFails(ErrorCode.WRONG_KEY_TYPE, found);
    assertTrue(failure.getMessage().contains(key), failure::getMessage);
  }

  /** Creates a filter and reads its state. */
  static FilterState created(FilterName name) {
    return created(name, Optional.empty());
  }

  static FilterState created(FilterName name, Optional<Instant> expiry) {
    assertInstanceOf(ChangeReply.Done.class, filters.create(name, state(name, expiry)));
    return found(name).state();
  }

  static FindReply.Found found(FilterName name) {
    return stores.found(name);
  }

  static ChangeReply expire(FilterName name, Optional<Instant> expiry) {
    return expire(name, found(name).state(), expiry);
  }

  /** Sets the expiry, by a caller that knows this state and no rebuild. */
  static ChangeReply expire(FilterName name, FilterState known, Optional<Instant> expiry) {
    return expire(name, known, NewExpiry.of(expiry));
  }

  static ChangeReply expire(FilterName name, FilterState known, NewExpiry expiry) {
    return filters.expire(
        name, known, random(), Optional.empty(), expiry, List.of(), Optional.empty());
  }

  /** Deletes the filter, by a caller that knows it without a rebuild and a source. */
  static ChangeReply delete(FilterName name, String version, ContentId content, Written known) {
    return filters.delete(
        name,
        new RemovedFilter(version, Optional.of(content), known, false, false, Optional.empty()),
        Optional.empty());
  }

  static ChangeReply delete(StoredGeneration live, Written known) {
    return delete(live.name(), live.version(), live.content(), known);
  }

  /** Opens a rebuild of a filter, and returns the state of its generation. */
  static FilterState open(FilterName name) {
    return stores.open(name, "{}");
  }

  /** A filter to be replaced, whose segments the caller does not know. */
  static RemovedFilter replaced(String version) {
    return new RemovedFilter(
        version, Optional.empty(), Written.NONE, false, false, Optional.empty());
  }

  static StoredGeneration live(FilterName name) {
    var state = found(name).state();
    return new StoredGeneration(name, false, state.version(), state.content());
  }

  static StoredGeneration next(FilterName name) {
    var state = found(name).next().orElseThrow();
    return new StoredGeneration(name, true, state.version(), state.content());
  }

  /** The position and mark that an instance has seen in a segment. */
  record Known(long position, byte[] mark) {
    static final Known NOTHING_YET = new Known(0, ZEROS);

    /** What the instance knows after its block was appended. */
    Known with(byte[] block) {
      return new Known(position + stored(block), Arrays.copyOf(block, 8));
    }

    /** A segment known up to here, whose bitmap has the blocks up to a position. */
    KnownSegment of(StoredGeneration generation, int segment, SegmentFormat format, long folded) {
      return new KnownSegment(generation, segment, format, position, mark, folded);
    }
  }

  /** The segments with these indexes. */
  static Written written(int... indexes) {
    var bits = new byte[Arrays.stream(indexes).max().orElseThrow() / 8 + 1];
    for (var index : indexes) {
      bits[index / 8] |= (byte) (0x80 >> index % 8);
    }
    return new Written(bits);
  }

  /** The blocks that others have appended; fails if there are none. */
  static byte[] blocks(SegmentReply reply) {
    var blocks = assertInstanceOf(SegmentReply.Followed.class, reply).blocks();
    assertNotEquals(0, blocks.length);
    return blocks;
  }

  /** The bytes that a block takes in a segment, where Redis adds the time. */
  static int stored(byte[] block) {
    return block.length + 6;
  }

  /** A block with one entry of some bytes. */
  static byte[] block(int bytes) {
    var block = Arrays.copyOf(mark(), 10 + bytes);
    block[9] = 1;
    Arrays.fill(block, 10, block.length, (byte) 'e');
    return block;
  }

  static SegmentGroup.Question ask(int segment, Known known) {
    return append(segment, known, NOTHING);
  }

  static SegmentGroup.Question append(int segment, Known known, byte[] block) {
    return new SegmentGroup.Question(segment, known.position, known.mark, block);
  }

  /** Sends one group, and asserts that there is a reply for its segments. */
  static List<SegmentReply> advance(
      StoredGeneration generation, SegmentFormat format, SegmentGroup.Question... questions) {
    var group = new SegmentGroup(generation, format, List.of(questions));
    return groups(group).get(0).orElseThrow();
  }

  static SegmentReply advance(StoredGeneration generation, SegmentGroup.Question question) {
    return advance(generation, FORMAT, question).get(0);
  }

  static List<Optional<List<SegmentReply>>> groups(SegmentGroup... groups) {
    return TestLink.await(segments.advance(List.of(groups))).groups();
  }

  static SegmentGroup group(StoredGeneration generation, SegmentGroup.Question... questions) {
    return new SegmentGroup(generation, FORMAT, List.of(questions));
  }

  /** Appends a block to each of some new segments of a filter, and returns its live generation. */
  static StoredGeneration withSegments(FilterName name, int... indexes) {
    var live = live(name);
    for (var index : indexes) {
      appended(live, index, Known.NOTHING_YET);
    }
    return live;
  }

  /** Appends a block to a segment, and returns the new position and mark. */
  static Known appended(StoredGeneration generation, int segment, Known known) {
    var block = block(3);
    assertEquals(SegmentReply.SAME, advance(generation, append(segment, known, block)));
    return known.with(block);
  }

  /** A segment that does not exist. */
  static KnownSegment unwritten(StoredGeneration generation, int segment) {
    return new KnownSegment(generation, segment, FORMAT, 0, ZEROS, 0);
  }

  /** Folds a segment up to the known position, to a bitmap with half of its bits set. */
  static FoldReply fold(KnownSegment known) {
    return fold(known, SegmentText.folded(known.format(), known.position(), known.mark()));
  }

  static FoldReply fold(KnownSegment known, byte[] bytes) {
    return TestLink.await(segments.fold(known, bytes, Optional.empty()));
  }

  static byte[] bytes(StoredGeneration generation, int segment) {
    return TestLink.await(segments.read(generation.content(), segment)).orElseThrow();
  }

  static boolean exists(StoredGeneration generation, int segment) {
    return exists(generation.segmentKey(segment));
  }

  static boolean exists(String key) {
    return redis.command("EXISTS", key).toInteger() == 1;
  }

  /** Checks when a key expires, allowing for the delay of a busy machine. */
  static void assertExpiry(Optional<Instant> expiry, String key) {
    var left = redis.command("PTTL", key).toLong();
    if (expiry.isEmpty()) {
      assertEquals(-1, left, key);
    } else {
      var expected = expiry.get().toEpochMilli() - System.currentTimeMillis();
      assertTrue(Math.abs(expected - left) < 600_000, key + " has " + left + " ms left");
    }
  }

  /** The definition of a source. */
  static String source(String key) {
    var origin = new Origin.RedisKey(key);
    return StoredJson.write(new Source(origin, new Schedule.ByHand(), false, 0, 0));
  }

  static void assertRefused(ChangeReply.Refusal expected, ChangeReply reply) {
    assertEquals(expected, assertInstanceOf(ChangeReply.Refused.class, reply).refusal());
  }

  static Optional<Dropped> dropped(ChangeReply reply) {
    return assertInstanceOf(ChangeReply.Done.class, reply).dropped();
  }

  /** Asserts that the reply to a change contains the same as a read. */
  static void assertIsAsFound(FilterName name, List<FilterStore.Asked> asked, ChangeReply reply) {
    var now = assertInstanceOf(ChangeReply.Done.class, reply).now().orElseThrow();
    var returned = assertInstanceOf(FindReply.Found.class, now);
    var read =
        assertInstanceOf(FindReply.Found.class, TestLink.await(filters.find(name, false, asked)));
    assertEquals(read.state(), returned.state());
    assertEquals(asked.size(), returned.headers().size());
    for (var i = 0; i < asked.size(); i++) {
      assertEquals(read.headers().get(i).length(), returned.headers().get(i).length());
      assertArrayEquals(read.headers().get(i).bytes(), returned.headers().get(i).bytes());
    }
  }

  static void assertDone(ChangeReply reply) {
    assertInstanceOf(ChangeReply.Done.class, reply);
  }
}
