package io.github.bloomgate.store;

import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.journal.SegmentCopies;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.redis.StepLink;
import io.github.bloomgate.redis.TestLink;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;

/** The stores of one instance of the service, and where they keep a filter. */
public record TestStores(
    FilterStore filters,
    SegmentStore segments,
    ElementCalls elements,
    FoundFilters found,
    LaterSegments laterSegments,
    LayerStore layers,
    SegmentCopies copies,
    JournalStore journals,
    Advances advances,
    AdoptionStore adoptions,
    RebuildStore rebuilds,
    Catalogue catalogue,
    Intents intents,
    SourceStore sources,
    SourceAgenda agenda,
    SourceMembers members,
    MemoryLeft memory,
    UsageTotals totals,
    UsageCount usage,
    MoveStore moves,
    MemoryBudget budget) {

  /** Longer than any machine stalls: who waits for the end of a move gets it. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final long MEMORY = 1 << 27;

  /** Stores over a link. */
  public static TestStores over(TestLink link) {
    return over(link, true, new SimpleMeterRegistry());
  }

  /** Stores over a link, with or without coalescing. */
  public static TestStores over(TestLink link, boolean coalescing, MeterRegistry metrics) {
    return over(link, coalescing, HashSecrets.of(), metrics);
  }

  /** Likewise, of an instance that knows secrets. */
  public static TestStores over(
      TestLink link, boolean coalescing, HashSecrets secrets, MeterRegistry metrics) {
    return over(link, coalescing, true, secrets, metrics);
  }

  /** Likewise, of one that holds copies or none. */
  public static TestStores over(
      TestLink link,
      boolean coalescing,
      boolean copying,
      HashSecrets secrets,
      MeterRegistry metrics) {
    var plain = link.scripts();
    var scripts = new FilterScripts(plain, PATIENCE);
    // What is done stepwise stands still for as long as the test likes: nobody waits for it.
    var lease = link.link() instanceof StepLink ? Duration.ZERO : PATIENCE;
    var filters = new FilterStore(scripts, secrets);
    var budget = new MemoryBudget(MEMORY, MEMORY, metrics);
    var copies = new SegmentCopies(copying, budget, metrics);
    var journals = new JournalStore(scripts);
    var calls = new ElementCalls(scripts, coalescing, metrics);
    var segments = new SegmentStore(scripts, journals);
    var catalogue = new Catalogue(link.link(), filters);
    var totals = new UsageTotals(plain);
    return new TestStores(
        filters,
        segments,
        calls,
        new FoundFilters(scripts, secrets),
        new LaterSegments(scripts),
        new LayerStore(scripts),
        copies,
        journals,
        new Advances(scripts, coalescing),
        new AdoptionStore(scripts),
        new RebuildStore(scripts, secrets),
        catalogue,
        new Intents(plain),
        new SourceStore(scripts),
        new SourceAgenda(plain),
        new SourceMembers(link.link()),
        new MemoryLeft(link.link()),
        totals,
        new UsageCount(totals, catalogue, filters),
        new MoveStore(scripts, plain, lease),
        budget);
  }

  /** State and bits of a segment. */
  public static List<String> keys(Filter filter, int segment) {
    return Keys.ofSegment(filter, segment);
  }

  /** State and bits of the first segment, and the list of segment sets. */
  public static List<String> keys(FilterName name) {
    return Keys.ofFilter(name).subList(0, 3);
  }

  /** State and bits of the first segment of the next generation. */
  public static List<String> nextKeys(FilterName name) {
    return Keys.ofNextFirstSegment(name);
  }

  /** The hash of a filter's source. */
  public static String sourceKey(FilterName name) {
    return Keys.ofSource(name).get(1);
  }

  /** The sorted set of names whose sources are read by themselves. */
  public static String scheduleKey() {
    return Keys.SCHEDULE;
  }

  /** The sorted set of all names. */
  public static String catalogueKey() {
    return Keys.CATALOGUE;
  }

  /** What is counted for the quotas: names, what is known of each, sums of prefixes. */
  public static List<String> usageKeys() {
    return Keys.USAGE;
  }

  /** Adds up what so many names take that begin with a prefix; false if that were all. */
  public boolean addUp(String prefix, int names) {
    return totals.addUp(prefix, names);
  }

  /** The sorted set of names to be reconciled. */
  public static String unsettledKey() {
    return Keys.UNSETTLED;
  }
}
