package io.github.bloomgate.support;

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
import io.github.bloomgate.filters.DescriptionService;
import io.github.bloomgate.filters.FilterGrowth;
import io.github.bloomgate.filters.FilterMaking;
import io.github.bloomgate.filters.FilterService;
import io.github.bloomgate.filters.Glances;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.filters.MoveService;
import io.github.bloomgate.filters.Reconciler;
import io.github.bloomgate.filters.RenameService;
import io.github.bloomgate.filters.SegmentBirths;
import io.github.bloomgate.filters.SegmentMaking;
import io.github.bloomgate.rebuild.BitmapLoads;
import io.github.bloomgate.rebuild.BitmapUnion;
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
import io.github.bloomgate.rebuild.source.SourceStreams;
import io.github.bloomgate.redis.StepLink;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.store.TestStores;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The services of an instance, put together by hand as the framework does it. */
abstract class InstanceServices {

  /** As many as wait at once. */
  private static final ExecutorService WAITING =
      Executors.newCachedThreadPool(
          work -> {
            var thread = new Thread(work, "waiting");
            thread.setDaemon(true);
            return thread;
          });

  final TestLink link;

  /**
   * Threads of an instance made by {@link TestInstance#stepwise} that wait for what it is allowed.
   */
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

  InstanceServices(InstanceSettings settings) {
    link = settings.link();
    var clock = settings.clock();
    var secrets = settings.secrets();
    var coalescing = settings.coalescing();
    stores = TestStores.over(link, coalescing, settings.copying(), secrets, metrics);
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
    var turns = new SegmentTurns(stores.advances(), stores.copies(), snapshots, settings.workers());
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
    var origins = new SourceOrigins(stores.members(), new SourceStreams(settings.sources()));
    sources = new SourceService(stores.sources(), stores.agenda(), origins);
    runs =
        new SourceRuns(
            new SourceRebuild(
                openings, rebuilds, loads, stores.filters(), stores.segments(), origins),
            stores.sources(),
            stores.agenda(),
            settings.sources(),
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
    return new SegmentMaking(reconciler, TestInstance.PATIENCE);
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
}
