package io.github.bloomgate.support;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.elements.ElementService;
import io.github.bloomgate.elements.Rounds;
import io.github.bloomgate.files.ExportService;
import io.github.bloomgate.files.ImportService;
import io.github.bloomgate.filters.AdoptionService;
import io.github.bloomgate.filters.CreationService;
import io.github.bloomgate.filters.DescriptionService;
import io.github.bloomgate.filters.FilterService;
import io.github.bloomgate.filters.Ledger;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.filters.RenameService;
import io.github.bloomgate.filters.UnfoldedSegments;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.rebuild.CopyService;
import io.github.bloomgate.rebuild.MergeService;
import io.github.bloomgate.rebuild.Rebuilds;
import io.github.bloomgate.rebuild.RunWatch;
import io.github.bloomgate.rebuild.SourceRuns;
import io.github.bloomgate.rebuild.SourceService;
import io.github.bloomgate.redis.RedisLink;
import io.github.bloomgate.redis.ScriptRunner;
import io.github.bloomgate.redis.StepLink;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.store.SegmentStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.tls.TlsConfiguration;
import io.quarkus.tls.TlsConfigurationRegistry;
import java.lang.reflect.Proxy;
import java.math.BigInteger;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The services of an instance, wired without the framework. */
abstract class InstanceServices {

  private static final long MEMORY = 1 << 27;
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(5);

  private static final ExecutorService WAITING =
      Executors.newCachedThreadPool(work -> daemon(work, "waiting"));

  final TestLink link;

  /** The threads of an instance created by {@link TestInstance#stepwise}. */
  public final StepThreads threads = new StepThreads();

  /** Threads that may block for this instance. */
  public final Executor waiting;

  public final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  public final LiveFilters live;
  public final DescriptionService descriptions;
  public final CreationService creations;
  public final AdoptionService adoptions;
  public final FilterService changes;
  public final RenameService renames;
  public final Rounds rounds;
  public final ElementService elements;
  public final Rebuilds rebuilds;
  public final SourceService sources;
  public final SourceRuns runs;
  public final ExportService exports;
  public final ImportService imports;
  public final CopyService copies;
  public final MergeService merges;

  private final Wiring wiring;
  private final ExecutorService roundsThread;

  InstanceServices(InstanceSettings settings) {
    link = settings.link();
    var isStepwise = link.link() instanceof StepLink;
    waiting = isStepwise ? threads : WAITING;
    roundsThread = Executors.newSingleThreadExecutor(work -> daemon(work, "rounds"));
    wiring =
        new Wiring()
            .with(RedisLink.class, link.link())
            .with(ScriptRunner.class, link.scripts())
            .with(Clock.class, settings.clock())
            .with(HashSecrets.class, settings.secrets())
            .with(MeterRegistry.class, metrics)
            .with(MemoryBudget.class, new MemoryBudget(MEMORY, metrics))
            .with(BloomgateConfig.class, config(settings.sources()))
            .with(TlsConfigurationRegistry.class, new NoTls())
            .with(Ledger.Quotas.class, owner -> Quota.NONE);
    rounds =
        new Rounds(
            wiring.get(SegmentStore.class),
            settings.copying() ? MEMORY : 0,
            get(UnfoldedSegments.class),
            metrics,
            isStepwise ? new InOrder() : roundsThread);
    wiring.with(Rounds.class, rounds);
    live = get(LiveFilters.class);
    descriptions = get(DescriptionService.class);
    creations = get(CreationService.class);
    adoptions = get(AdoptionService.class);
    changes = get(FilterService.class);
    renames = get(RenameService.class);
    elements = get(ElementService.class);
    rebuilds = get(Rebuilds.class);
    sources = get(SourceService.class);
    runs = get(SourceRuns.class);
    exports = get(ExportService.class);
    imports = get(ImportService.class);
    copies = get(CopyService.class);
    merges = get(MergeService.class);
  }

  /** Any other object of this instance. */
  public final <T> T get(Class<T> type) {
    return wiring.get(type);
  }

  /** No limits except the call timeout. */
  private static BloomgateConfig config(BloomgateConfig.Sources sources) {
    return configured(BloomgateConfig.class, sources);
  }

  private static <T> T configured(Class<T> type, BloomgateConfig.Sources sources) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> value(method.getReturnType(), sources)));
  }

  private static Object value(Class<?> type, BloomgateConfig.Sources sources) {
    if (type == BloomgateConfig.Sources.class) {
      return sources;
    } else if (type == Duration.class) {
      return CALL_TIMEOUT;
    } else if (type == MemorySize.class) {
      return new MemorySize(BigInteger.ZERO);
    } else if (type == long.class) {
      return 0L;
    } else if (type == int.class) {
      return 1_000;
    } else if (type.isInterface()) {
      return configured(type, sources);
    }
    throw new UnsupportedOperationException("No test needs a " + type);
  }

  /** No settings of TLS. */
  private static final class NoTls implements TlsConfigurationRegistry {
    @Override
    public Optional<TlsConfiguration> get(String name) {
      return Optional.empty();
    }

    @Override
    public Optional<TlsConfiguration> getDefault() {
      return Optional.empty();
    }

    @Override
    public void register(String name, TlsConfiguration configuration) {
      throw new UnsupportedOperationException();
    }
  }

  private static Thread daemon(Runnable work, String name) {
    var thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  void closeServices() {
    get(RunWatch.class).close();
    roundsThread.shutdownNow();
    link.close();
  }
}
