package io.github.bloomgate.elements;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.elements.ElementCall.Kind;
import io.github.bloomgate.elements.ElementRequest.Outcome;
import io.github.bloomgate.filters.Filter;
import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.filters.UnfoldedSegments;
import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.Counting;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.model.Plain;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.segment.SegmentFormat;
import io.github.bloomgate.segment.Verdict;
import io.github.bloomgate.store.ChangeReply;
import io.github.bloomgate.store.FilterState;
import io.github.bloomgate.store.RemovedFilter;
import io.github.bloomgate.store.StoredGeneration;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.Seeded;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.RedisOptions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;

/** Two instances on one Redis, with only the parts that add and test elements. */
@OnRedis
abstract class RoundsFixture extends Seeded {

  static final long MEMORY = 64L << 20;
  private static final int MOST_ATTEMPTS = 100;
  static final String[] NAMES = elements("element ", 60);

  static TestRedis redis;
  static Instance one;
  static Instance other;

  @BeforeAll
  static void start() {
    one = new Instance(MEMORY);
    other = new Instance(MEMORY);
  }

  /** One instance: its connection, its event loop and its copies. */
  static final class Instance implements AutoCloseable {
    final TestLink link;
    final TestStores stores;
    final ExecutorService thread = Executors.newSingleThreadExecutor();
    final UnfoldedSegments unfolded = new UnfoldedSegments();
    final Rounds rounds;

    Instance(long memory) {
      this(redis.options(), memory);
    }

    Instance(RedisOptions options, long memory) {
      link = new TestLink(options);
      stores = TestStores.of(link);
      rounds = new Rounds(stores.segments(), memory, unfolded, link.registry(), thread);
    }

    @Override
    public void close() {
      // Replies that are still in progress go to this thread.
      link.close();
      thread.shutdown();
    }

    /** Sends a request and returns its outcome or its failure. */
    Uni<Outcome> send(ElementRequest request) {
      return rounds.send(List.of(request)).map(ignored -> request.result());
    }

    /** Sends requests in one task, so that they join the same round. */
    List<CompletableFuture<Outcome>> sendTogether(ElementRequest... requests) throws Exception {
      return thread
          .submit(
              () ->
                  Arrays.stream(requests)
                      .map(request -> send(request).subscribeAsCompletionStage())
                      .toList())
          .get(InParallel.MAX_WAIT.toSeconds(), TimeUnit.SECONDS);
    }

    ElementPart add(TestFilter filter, String... elements) {
      return run(filter, Kind.ADD, elements);
    }

    /** Sends a request until it is done, as the service does. */
    ElementPart run(TestFilter filter, Kind kind, String... elements) {
      return run(filter, request(kind, filter, elements));
    }

    ElementPart run(TestFilter filter, ElementRequest request) {
      for (var attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        var outcome = TestLink.await(send(request));
        if (outcome == Outcome.DONE) {
          return request.live();
        }
        if (outcome == Outcome.FULL) {
          filter.grow();
        }
        assertTrue(request.follow(filter.view()), "the removal has lost its content");
      }
      throw new AssertionError("The filter seems to change forever");
    }

    Refresh refresh(TestFilter filter) {
      return new Refresh(filter.view().live(), Duration.ZERO);
    }

    /** Refreshes a filter until there are copies of all its segments. */
    void awaitCopies(TestFilter filter) {
      Awaitility.await()
          .until(
              () -> {
                var refresh = refresh(filter);
                rounds.refresh(List.of(refresh));
                assertEquals(Refresh.Outcome.DONE, TestLink.await(refresh.outcome()));
                return refresh.asOf().isPresent();
              });
    }

    /** Tests an element without Redis; empty if a copy is missing. */
    Optional<Boolean> containsInCopies(TestFilter filter, String element) {
      var request = request(Kind.TEST, filter, element);
      return TestLink.await(rounds.test(List.of(request), Duration.ofHours(1)))
          .map(asOf -> request.live().answer(0) == Verdict.KNOWN);
    }

    boolean contains(TestFilter filter, String element) {
      return run(filter, Kind.TEST, element).answer(0) == Verdict.KNOWN;
    }
  }

  static ElementRequest request(Kind kind, TestFilter filter, String... elements) {
    return new ElementRequest(
        new ElementCall(
            kind, bytes(elements), Durability.PRIMARY, Client.SERVICE, Optional.empty()),
        filter.view());
  }

  static String[] elements(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> prefix + i).toArray(String[]::new);
  }

  static List<byte[]> bytes(String... elements) {
    return Arrays.stream(elements).map(element -> element.getBytes(UTF_8)).toList();
  }

  /** A filter whose layers all have the same size. */
  static final class TestFilter {
    final FilterName name = new FilterName("n" + UUID.randomUUID());
    private final FilterShape shape;
    private final SegmentFormat format;
    private final boolean grows;
    private final TestStores stores;

    TestFilter(FilterShape shape, SegmentFormat format, boolean grows) {
      this.shape = shape;
      this.format = format;
      this.grows = grows;
      this.stores = one.stores;
      done(stores.filters().create(name, TestStores.state(name, "1")));
    }

    /** The filter as it is in Redis now. */
    Filter view() {
      return view(name);
    }

    private Filter view(FilterName its) {
      var found = stores.found(its);
      return new Filter(
          generation(its, found.state()), found.next().map(next -> generation(its, next)));
    }

    private Generation generation(FilterName its, FilterState state) {
      var isNext = state.loading().isPresent();
      var stored =
          new FilterShape(
              shape.segments(), (long) Byte.SIZE * format.bitmapBytes(), format.numHashFunctions());
      var kind =
          format.kind() instanceof SegmentFormat.Counting
              ? new Counting(WhenFull.ACCEPT)
              : new Plain(WhenFull.ACCEPT);
      var parameters = new FilterParameters(HashSchemes.nativeScheme(), 1_000, 0.01, shape, kind);
      var layers =
          IntStream.range(0, Integer.parseInt(state.definition()))
              .mapToObj(
                  i ->
                      new Layer(
                          i * shape.segments(),
                          1_000,
                          0.01,
                          stored,
                          shape,
                          format.kind(),
                          Optional.empty()))
              .toList();
      return new Generation(
          new StoredGeneration(its, isNext, state.version(), state.content()),
          new FilterPlan(parameters, layers),
          Optional.empty(),
          state,
          grows);
    }

    /** Adds a layer, unless another instance has done so. */
    void grow() {
      var live = view().live();
      stores
          .filters()
          .grow(live.stored(), TestStores.random(), Integer.toString(live.layers().size() + 1));
    }

    void open() {
      stores.open(name, "1");
    }

    /** Commits the segments that the next generation has, even while more are written. */
    void commit() {
      ChangeReply reply;
      do {
        reply = stores.commit(name, stores.found(name).state());
      } while (!(reply instanceof ChangeReply.Done));
      dropped(reply);
    }

    void abort() {
      dropped(stores.abort(name));
    }

    void clear() {
      dropped(stores.clear(name, stores.found(name).state().written()));
    }

    private void dropped(ChangeReply reply) {
      done(reply).dropped().ifPresent(some -> stores.filters().drop(Optional.of(name), some, 0));
    }

    void delete() {
      var removed = RemovedFilter.of(stores.found(name).state(), Optional.empty());
      done(stores.filters().delete(name, removed, Optional.empty()));
    }

    /** Renames the filter and returns its new view. */
    Filter rename() {
      var newName = new FilterName("n" + UUID.randomUUID());
      var version = stores.found(name).state().version();
      done(stores.filters().rename(name, newName, version, false, List.of(), RemovedFilter.NONE));
      return view(newName);
    }

    private static ChangeReply.Done done(ChangeReply reply) {
      return assertInstanceOf(ChangeReply.Done.class, reply);
    }

    String key(int segment) {
      return view().live().stored().segmentKey(segment);
    }

    /** Copies the first segment, for {@link #restore}. */
    void backUp() {
      redis.command("COPY", key(0), "backup of " + key(0));
    }

    /** Gives the first segment another history, as a failover or a restored backup does. */
    void restore() {
      redis.command("COPY", "backup of " + key(0), key(0), "REPLACE");
    }

    /** Reads all segments of the live generation, as a new instance would. */
    List<SegmentCopy> segments() {
      var live = view().live();
      return Arrays.stream(live.written().indexes())
          .mapToObj(
              index ->
                  TestLink.await(stores.segments().read(live.stored().content(), index))
                      .orElseThrow())
          .map(bytes -> SegmentCopy.read(format, bytes))
          .toList();
    }

    long insertions() {
      return segments().stream().mapToLong(copy -> copy.content().insertions()).sum();
    }
  }

  static TestFilter fixed(int segments, int bytes, long maxInsertions, boolean grows) {
    return new TestFilter(
        new FilterShape(segments, 8L * bytes, 7),
        new SegmentFormat(bytes, 7, new SegmentFormat.Fixed(maxInsertions)),
        grows);
  }

  /** A filter as long as another library's, whose bits have no journal. */
  static TestFilter raw() {
    return new TestFilter(
        new FilterShape(1, 1L << 25, 3),
        new SegmentFormat(1 << 22, 3, new SegmentFormat.Fixed(0)),
        false);
  }

  static TestFilter counting(int segments, int bytes) {
    return new TestFilter(
        new FilterShape(segments, 2L * bytes, 7),
        new SegmentFormat(bytes, 7, new SegmentFormat.Counting(0)),
        false);
  }

  static void assertAdded(ElementPart part) {
    assertEquals(Verdict.CHANGED, part.answer(0));
  }
}
