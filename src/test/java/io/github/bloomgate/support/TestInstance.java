package io.github.bloomgate.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.elements.ContentCopies;
import io.github.bloomgate.elements.CounterService;
import io.github.bloomgate.elements.ElementService;
import io.github.bloomgate.elements.NextGenerations;
import io.github.bloomgate.elements.SegmentElements;
import io.github.bloomgate.elements.SegmentJournals;
import io.github.bloomgate.elements.SegmentSnapshots;
import io.github.bloomgate.elements.SegmentTurns;
import io.github.bloomgate.files.ExportService;
import io.github.bloomgate.files.ImportService;
import io.github.bloomgate.filters.AdoptionService;
import io.github.bloomgate.filters.Capacity;
import io.github.bloomgate.filters.CreationService;
import io.github.bloomgate.filters.Description;
import io.github.bloomgate.filters.DescriptionService;
import io.github.bloomgate.filters.FilterGrowth;
import io.github.bloomgate.filters.FilterMaking;
import io.github.bloomgate.filters.FilterService;
import io.github.bloomgate.filters.Glances;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.filters.MoveService;
import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.filters.Reconciler;
import io.github.bloomgate.filters.RenameService;
import io.github.bloomgate.filters.SegmentBirths;
import io.github.bloomgate.filters.SegmentMaking;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.rebuild.BitmapLoads;
import io.github.bloomgate.rebuild.BitmapUnion;
import io.github.bloomgate.rebuild.Client;
import io.github.bloomgate.rebuild.CopyService;
import io.github.bloomgate.rebuild.DueSources;
import io.github.bloomgate.rebuild.MergeService;
import io.github.bloomgate.rebuild.NextParameters;
import io.github.bloomgate.rebuild.RebuildLoads;
import io.github.bloomgate.rebuild.RebuildOpening;
import io.github.bloomgate.rebuild.RebuildService;
import io.github.bloomgate.rebuild.ReplacementService;
import io.github.bloomgate.rebuild.SourceOrigins;
import io.github.bloomgate.rebuild.SourceRebuild;
import io.github.bloomgate.rebuild.SourceRuns;
import io.github.bloomgate.rebuild.SourceService;
import io.github.bloomgate.rebuild.TestSources;
import io.github.bloomgate.rebuild.source.SourceStreams;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.redis.StepLink;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.store.TestStores;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/** One instance of the service without HTTP, on a link of its own. */
public final class TestInstance implements AutoCloseable {

  public static final Duration PATIENCE = Duration.ofMinutes(2);

  /** A client that waits for the end. */
  public static final Client STAYS = () -> false;

  /** Three segments of 2 MiB. */
  public static final FilterParameters SEVERAL = shape(3 * (1L << 24), 7);

  /** Deadlines in tests are hours from now and from each other, so no delay matters. */
  private static final String USAGE = "bloom:{=usage}:";

  private static final long TOLERANCE = Duration.ofMinutes(10).toMillis();

  private static final Executor WORKERS =
      work -> Infrastructure.getDefaultWorkerPool().execute(work);

  /** As many as wait at once. */
  private static final ExecutorService WAITING =
      Executors.newCachedThreadPool(
          work -> {
            var thread = new Thread(work, "waiting");
            thread.setDaemon(true);
            return thread;
          });

  private final TestRedis redis;
  private final TestLink link;

  /** Threads of an instance made by {@link #stepwise} that wait for what it is allowed. */
  public final StepThreads threads = new StepThreads();

  /** Threads that may wait for this instance. */
  public final Executor waiting;

  public final TestStores stores;
  public final LiveFilters live;
  public final SegmentBirths births;
  public final Reconciler reconciler;
  public final DescriptionService descriptions;
  public final CreationService creations;
  public final AdoptionService adoptions;
  public final FilterService changes;
  public final RenameService renames;
  public final ElementService elements;
  public final CounterService counters;
  public final FilterGrowth growth;
  public final SegmentElements segments;
  public final SegmentJournals journals;
  public final NextGenerations nextGenerations;
  public final RebuildService rebuilds;
  public final RebuildLoads loads;
  public final ReplacementService replacements;
  public final RebuildOpening openings;
  public final SourceService sources;
  public final SourceRuns runs;
  public final DueSources due;
  public final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  public final ExportService exports;
  public final ImportService imports;
  public final ContentCopies contentCopies;
  public final BitmapUnion union;
  public final CopyService copies;
  public final MergeService merges;

  public TestInstance(TestRedis redis) {
    this(redis, Clock.systemUTC());
  }

  public TestInstance(TestRedis redis, Clock clock) {
    this(redis, clock, TestSources.NOTHING);
  }

  public TestInstance(TestRedis redis, Clock clock, BloomgateConfig.Sources settings) {
    this(
        redis,
        new TestLink(redis.options()),
        WORKERS,
        clock,
        settings,
        true,
        true,
        HashSecrets.of());
  }

  /** An instance that knows secrets, the one of new filters first. */
  public static TestInstance withSecrets(TestRedis redis, String... secrets) {
    return new TestInstance(
        redis,
        new TestLink(redis.options()),
        WORKERS,
        Clock.systemUTC(),
        TestSources.NOTHING,
        true,
        true,
        HashSecrets.of(secrets));
  }

  /** An instance that gives a Redis up that answers nothing for so long. */
  public static TestInstance impatient(TestRedis redis, Duration timeout) {
    return new TestInstance(
        redis,
        new TestLink(redis.options(), timeout),
        WORKERS,
        Clock.systemUTC(),
        TestSources.NOTHING,
        true,
        true,
        HashSecrets.of());
  }

  /** An instance of which every batch makes a call of its own. */
  public static TestInstance withoutCoalescing(TestRedis redis) {
    return new TestInstance(
        redis,
        new TestLink(redis.options()),
        WORKERS,
        Clock.systemUTC(),
        TestSources.NOTHING,
        false,
        true,
        HashSecrets.of());
  }

  /** An instance that holds no copies: it adds and tests bit by bit. */
  public static TestInstance withoutCopies(TestRedis redis) {
    return new TestInstance(
        redis,
        new TestLink(redis.options()),
        WORKERS,
        Clock.systemUTC(),
        TestSources.NOTHING,
        true,
        false,
        HashSecrets.of());
  }

  /** An instance that reaches a cluster, one of whose nodes is given. */
  public static TestInstance ofCluster(TestRedis node, RedisOptions options, Clock clock) {
    return new TestInstance(
        node,
        new TestLink(options),
        WORKERS,
        clock,
        TestSources.NOTHING,
        true,
        true,
        HashSecrets.of());
  }

  /** An instance that does everything on the thread of the test, as {@link #steps} allows. */
  public static TestInstance stepwise(TestRedis redis) {
    return stepwise(redis, redis.options());
  }

  /** Likewise, of a cluster, one of whose nodes is given. */
  public static TestInstance stepwise(TestRedis redis, RedisOptions options) {
    return new TestInstance(
        redis,
        TestLink.stepwise(options),
        Runnable::run,
        Clock.systemUTC(),
        TestSources.NOTHING,
        true,
        true,
        HashSecrets.of());
  }

  /** What an instance made by {@link #stepwise} waits for. */
  public StepLink steps() {
    return (StepLink) link.link();
  }

  private TestInstance(
      TestRedis redis,
      TestLink link,
      Executor workers,
      Clock clock,
      BloomgateConfig.Sources settings,
      boolean coalescing,
      boolean copying,
      HashSecrets secrets) {
    this.redis = redis;
    this.link = link;
    stores = TestStores.over(link, coalescing, copying, secrets, metrics);
    live = new LiveFilters(stores.filters(), stores.laterSegments(), clock, metrics);
    births = new SegmentBirths(stores.filters(), stores.laterSegments(), stores.layers(), clock);
    reconciler =
        new Reconciler(
            stores.filters(),
            stores.laterSegments(),
            births,
            stores.rebuilds(),
            stores.moves(),
            stores.intents(),
            clock);
    descriptions =
        new DescriptionService(
            live,
            new Glances(
                stores.found(),
                stores.filters(),
                stores.segments(),
                stores.rebuilds(),
                stores.catalogue()),
            stores.segments(),
            stores.rebuilds(),
            stores.catalogue(),
            clock);
    creations = creations(capacity(0, 0), secrets, clock);
    adoptions = new AdoptionService(creations, stores.adoptions(), clock);
    changes =
        new FilterService(live, stores.filters(), stores.catalogue(), reconciler, stores.usage());
    renames =
        new RenameService(
            live,
            stores.catalogue(),
            reconciler,
            new MoveService(stores.filters(), stores.moves(), reconciler),
            stores.agenda(),
            capacity(0, 0),
            clock);
    var snapshots =
        new SegmentSnapshots(stores.journals(), stores.copies(), stores.budget(), metrics);
    var turns = new SegmentTurns(stores.advances(), stores.copies(), snapshots, workers);
    journals =
        new SegmentJournals(
            stores.segments(), stores.elements(), stores.copies(), turns, coalescing, metrics);
    waiting = link.link() instanceof StepLink ? threads : WAITING;
    growth =
        new FilterGrowth(
            live, stores.rebuilds(), stores.layers(), reconciler, capacity(0, 0), waiting);
    segments = new SegmentElements(journals, growth, stores.budget(), metrics);
    nextGenerations =
        new NextGenerations(
            live, segments, stores.segments(), stores.rebuilds(), reconciler, waiting);
    elements = new ElementService(live, segments, nextGenerations, metrics);
    counters = new CounterService(live, segments, metrics);
    contentCopies = new ContentCopies(live, stores.journals(), stores.budget());
    loads = new RebuildLoads(nextGenerations, stores.segments(), stores.rebuilds(), contentCopies);
    rebuilds =
        new RebuildService(
            live,
            nextGenerations,
            stores.rebuilds(),
            stores.catalogue(),
            reconciler,
            stores.usage());
    openings = openings(capacity(0, 0), secrets, clock);
    var origins = new SourceOrigins(stores.members(), new SourceStreams(settings));
    sources = new SourceService(stores.sources(), stores.agenda(), origins);
    runs =
        new SourceRuns(
            new SourceRebuild(openings, rebuilds, loads, stores.filters(), origins),
            stores.sources(),
            stores.agenda(),
            settings,
            metrics);
    due = new DueSources(runs, stores.sources(), stores.agenda());
    exports = new ExportService(live, stores.filters(), stores.segments(), contentCopies, clock);
    replacements = new ReplacementService(openings, rebuilds);
    imports = new ImportService(replacements, descriptions, loads);
    union =
        new BitmapUnion(live, stores.segments(), stores.rebuilds(), stores.budget(), contentCopies);
    copies = copies(union);
    merges = merges(union);
  }

  /** A machine that stalls while segments are made has nobody told that they are not ready. */
  private SegmentMaking making() {
    return new SegmentMaking(reconciler, PATIENCE);
  }

  /** Quotas; 0: none. */
  public Capacity capacity(long maxFilters, long maxTotalBytes) {
    return new Capacity(
        stores.memory(),
        stores.filters(),
        stores.totals(),
        stores.usage(),
        name -> List.of(),
        maxFilters,
        maxTotalBytes);
  }

  /** Creates filters within quotas. */
  public CreationService creations(Capacity capacity) {
    return creations(capacity, HashSecrets.of(), Clock.systemUTC());
  }

  private CreationService creations(Capacity capacity, HashSecrets secrets, Clock clock) {
    var making =
        new FilterMaking(
            stores.filters(),
            stores.adoptions(),
            stores.catalogue(),
            reconciler,
            making(),
            stores.usage());
    return new CreationService(
        descriptions, stores.filters(), stores.catalogue(), making, secrets, capacity, clock);
  }

  /** Opens rebuilds within quotas. */
  public RebuildOpening openings(Capacity capacity) {
    return openings(capacity, HashSecrets.of(), Clock.systemUTC());
  }

  private RebuildOpening openings(Capacity capacity, HashSecrets secrets, Clock clock) {
    return new RebuildOpening(
        rebuilds,
        stores.filters(),
        stores.rebuilds(),
        reconciler,
        making(),
        new NextParameters(secrets, clock),
        capacity);
  }

  /** Copies with bitmaps joined in another way. */
  public CopyService copies(BitmapUnion how) {
    return new CopyService(live, stores.filters(), openings, rebuilds, loads(how));
  }

  /** Merges with bitmaps joined in another way. */
  public MergeService merges(BitmapUnion how) {
    return new MergeService(live, descriptions, openings, rebuilds, loads(how));
  }

  public BitmapLoads loads(BitmapUnion how) {
    return new BitmapLoads(how, openings);
  }

  /** Exports that need several reads for a segment. */
  public ExportService exportsInPieces(int bytesPerRead) {
    return new ExportService(
        live, stores.filters(), stores.segments(), contentCopies, Clock.systemUTC(), bytesPerRead);
  }

  public static FilterName name() {
    return new FilterName("n" + UUID.randomUUID());
  }

  public static FilterParameters shape(long bitSize, int numHashFunctions) {
    return FilterParameters.forShape(
        HashSchemes.nativeScheme(), bitSize, numHashFunctions, WhenFull.ACCEPT);
  }

  public static FilterParameters sized(long n, double p, WhenFull whenFull) {
    return FilterParameters.forElements(HashSchemes.nativeScheme(), n, p, whenFull);
  }

  public static List<byte[]> elements(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> element(prefix + i)).toList();
  }

  public static byte[] element(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Begins something that waits, on a thread of its own. */
  public CompletableFuture<Void> begin(Runnable operation) {
    return CompletableFuture.runAsync(operation, waiting);
  }

  /** Why what was begun failed, once it is done; empty if it did not. */
  public static Optional<BloomException> failureOf(CompletableFuture<?> begun) {
    return begun
        .handle(
            (done, thrown) ->
                Optional.ofNullable(thrown).map(failed -> (BloomException) failed.getCause()))
        .join();
  }

  /** Lets so many requests be carried out and answered, if an instance sends as many. */
  public void go(int requests) {
    for (var i = 0; i < requests && steps().canExecute(); i++) {
      steps().execute();
      steps().answer();
      threads.settle();
    }
  }

  public static <T> T await(Uni<T> result) {
    return result.await().atMost(PATIENCE);
  }

  public static void assertFails(ErrorCode code, Uni<?> result) {
    assertFails(code, () -> await(result));
  }

  public static void assertFails(
      ErrorCode code, org.junit.jupiter.api.function.Executable operation) {
    var failure = assertThrows(BloomException.class, operation);
    assertEquals(code, failure.code(), failure.getMessage());
  }

  public Filter create(FilterName name, FilterParameters parameters) {
    return create(name, parameters, Optional.empty());
  }

  public Filter create(FilterName name, FilterParameters parameters, Optional<Instant> deadline) {
    var outcome = creations.create(name, parameters, deadline, Quota.NONE);
    assertTrue(outcome.created());
    return outcome.description().filter();
  }

  /** Opens a rebuild with the same parameters. */
  public static Filter openNext(TestInstance instance, FilterName name) {
    return instance.openings.awaitReady(
        instance.openings.open(name, parameters -> parameters, PATIENCE));
  }

  public boolean[] add(FilterName name, List<byte[]> some) {
    return await(elements.add(name, some)).flags();
  }

  public boolean[] remove(FilterName name, List<byte[]> some) {
    return await(counters.remove(name, some, Durability.PRIMARY)).flags();
  }

  public byte[] count(FilterName name, List<byte[]> some) {
    return await(counters.count(name, some));
  }

  public boolean[] test(FilterName name, List<byte[]> some) {
    return await(elements.test(name, some)).flags();
  }

  public Description describe(FilterName name) {
    return descriptions.describe(name);
  }

  public void assertMaybe(FilterName name, List<byte[]> some) {
    assertEquals(some.size(), await(elements.test(name, some)).trueCount(), "maybe");
  }

  /** Has all that is journaled of a filter in its bitmaps. */
  public void fold(Filter filter) {
    for (var segment = 0; segment < filter.segments(); segment++) {
      await(stores.journals().replay(filter, segment, true));
    }
  }

  /** Law 4: the counts are those of the bitmaps. */
  public void assertCountsAreExact(FilterName name) {
    var description = describe(name);
    var filter = description.filter();
    if (filter.window().isPresent()) {
      TestWindows.assertCountsAreExact(this, filter);
      return;
    }
    if (filter.isCounting()) {
      TestCounters.assertCountsAreExact(this, filter);
      return;
    }
    var bits = 0L;
    fold(filter);
    for (var segment = 0; segment < filter.segments(); segment++) {
      bits += redis("BITCOUNT", TestStores.keys(filter, segment).get(1)).toLong();
    }
    assertEquals(bits, description.statistics().bitsSet());
  }

  /** Law 6: all keys of a filter have the same deadline, or none. */
  public void assertDeadline(FilterName name, Optional<Instant> expected) {
    var filter = describe(name).filter();
    assertEquals(expected, filter.expiresAt());
    var keys = new ArrayList<>(TestStores.keys(name));
    for (var segment = 1; segment < filter.segments(); segment++) {
      keys.addAll(TestStores.keys(filter, segment));
    }
    if (filter.segments() == 1) {
      assertEquals(0, redis("EXISTS", keys.remove(2)).toInteger());
    }
    for (var key : keys) {
      var left = redis("PTTL", key).toLong();
      if (expected.isEmpty()) {
        assertEquals(-1, left, key);
      } else {
        var off = System.currentTimeMillis() + left - expected.get().toEpochMilli();
        assertTrue(left >= 0 && Math.abs(off) < TOLERANCE, key + " has " + left + " ms left");
      }
    }
  }

  /** Lets the deadline of a filter pass: all its keys that have one vanish. */
  public void passDeadline(Filter... generations) {
    for (var filter : generations) {
      var keys = new ArrayList<>(keysWith(filter.name().value() + "}"));
      keys.addAll(keysWith(filter.generation().incarnation()));
      for (var key : keys) {
        if (redis("PTTL", key).toLong() >= 0) {
          redis("PEXPIREAT", key, "1");
        }
      }
    }
  }

  /**
   * Keys whose names contain a text; marks of freed segments, which go by themselves, left out,
   * also if they go at this very moment, and the totals of usage, which belong to no filter.
   */
  public List<String> keysWith(String text) {
    var found = new ArrayList<String>();
    var cursor = "0";
    do {
      var page = redis("SCAN", cursor, "MATCH", "*" + text + "*", "COUNT", "1000");
      cursor = page.get(0).toString();
      for (var key : page.get(1)) {
        if (!isMark(key.toString())
            && !key.toString().startsWith(USAGE)
            && redis("EXISTS", key.toString()).toInteger() == 1) {
          found.add(key.toString());
        }
      }
    } while (!cursor.equals("0"));
    return found;
  }

  private boolean isMark(String key) {
    if (!redis("TYPE", key).toString().equals("hash")) {
      return false;
    }
    var generation = redis("HGET", key, "generation");
    var left = redis("PTTL", key).toLong();
    return generation != null
        && generation.toString().equals("freed")
        && left > 0
        && left <= 60_000;
  }

  /** Law 6: nothing of the filter is left, and nothing is left to be done. */
  public void assertNothingLeft(Filter filter) {
    var incarnation = filter.generation().incarnation();
    assertEquals(List.of(), keysWith(incarnation), "segments of " + filter.name());
    assertEquals(List.of(), keysWith(filter.name().value()), "keys of " + filter.name());
    assertReconciled(filter.name());
    assertEquals(null, redis("ZSCORE", TestStores.catalogueKey(), filter.name().value()));
  }

  public void assertReconciled(FilterName name) {
    assertEquals(null, redis("ZSCORE", TestStores.unsettledKey(), name.value()));
  }

  public Response redis(String command, String... arguments) {
    return redis.command(command, arguments);
  }

  /**
   * Lets no call of this instance be answered, nor any after it, until something is pushed to a
   * list; other connections are served. Returns when Redis has begun to wait.
   */
  public void holdBack(String gate) {
    var request = Request.cmd(Command.BLPOP).arg(gate).arg(0);
    link.link().send(request, Effect.WRITE).subscribe().with(open -> {}, failure -> {});
    Awaitility.await().atMost(PATIENCE).until(() -> redis.info("clients", "blocked_clients") == 1);
  }

  /** Waits until so many bytes lie before Redis that it has not looked at. */
  public void awaitSent(int bytes) {
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () ->
                Pattern.compile(" qbuf=(\\d+) ")
                        .matcher(redis("CLIENT", "LIST").toString())
                        .results()
                        .mapToInt(client -> Integer.parseInt(client.group(1)))
                        .max()
                        .orElseThrow()
                    >= bytes);
  }

  public double count(String metric) {
    return metrics.get(metric).counter().count();
  }

  @Override
  public void close() {
    runs.close();
    link.close();
  }
}
