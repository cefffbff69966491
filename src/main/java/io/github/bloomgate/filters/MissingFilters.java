package io.github.bloomgate.filters;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.memory.Client;
import io.github.bloomgate.memory.Turns;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.threads.OwnContext;
import io.github.bloomgate.threads.SharedTasks;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;

/** Creates filters that an add finds missing, like another filter. Thread-safe. */
@ApplicationScoped
public class MissingFilters {

  /** Another instance creates a filter in a few milliseconds. */
  private static final Duration FIRST_PAUSE = Duration.ofMillis(10);

  private static final Duration LONGEST_PAUSE = Duration.ofMillis(200);

  /** These take about a second. */
  private static final int MAX_REPEATS = 8;

  private static final int AT_ONCE = 4;

  private final LiveFilters live;
  private final CreationService creations;
  private final Clock clock;

  /** A creation needs a worker thread. */
  private final Turns turns = new Turns(AT_ONCE);

  /** Requests for the same filter share one creation. */
  private final SharedTasks<Wanted> underWay = new SharedTasks<>();

  public MissingFilters(LiveFilters live, CreationService creations, Clock clock) {
    this.live = live;
    this.creations = creations;
    this.clock = clock;
  }

  private record Wanted(FilterName name, MissingFilter missing) {}

  /**
   * The filters with these names, in order; planned ones, which are not in Redis, where they are
   * missing.
   *
   * @return fails with FILTER_NOT_FOUND if there is no filter like which they would be created;
   *     FORBIDDEN if it must be a template and is none; INVALID_REQUEST if its bitmap is another
   *     library's, or they must be keyed and there is no secret; as {@link LiveFilters#find}
   */
  public Uni<List<Filter>> foundOrPlanned(
      List<FilterName> names, MissingFilter missing, Client client) {
    return live.rememberedOrFound(names, true, client)
        .chain(
            found ->
                found.size() == names.size()
                    ? Uni.createFrom().item(found)
                    : like(missing).map(its -> withPlanned(names, found, its, missing)));
  }

  private List<Filter> withPlanned(
      List<FilterName> names, List<Filter> found, Generation like, MissingFilter missing) {
    var all = new HashMap<FilterName, Filter>();
    found.forEach(filter -> all.put(filter.live().name(), filter));
    return names.stream()
        .map(
            name ->
                all.containsKey(name)
                    ? all.get(name)
                    : creations.planned(name, like, missing, clock.instant()))
        .toList();
  }

  private Uni<Void> create(FilterName name, MissingFilter missing) {
    return underWay.join(
        new Wanted(name, missing),
        Uni.createFrom()
            .voidItem()
            .emitOn(OwnContext.workers())
            .invoke(() -> createNow(name, missing))
            .onFailure(ErrorCode.FILTER_CHANGED::isOf)
            .retry()
            .withBackOff(FIRST_PAUSE, LONGEST_PAUSE)
            .atMost(MAX_REPEATS));
  }

  private void createNow(FilterName name, MissingFilter missing) {
    creations.createMissing(name, await(like(missing)), missing, clock.instant());
  }

  /**
   * Creates those filters that do not exist, one after another, just after {@link #foundOrPlanned}
   * has read them all. While another client creates one, waits for about a second.
   *
   * @return fails as {@link #foundOrPlanned}, and with LIMIT_EXCEEDED, STORE_FULL, WRONG_KEY_TYPE;
   *     FILTER_CHANGED if another client keeps creating a filter. Those created before stay
   */
  public Uni<Void> createAll(List<FilterName> names, MissingFilter missing, Client client) {
    return Multi.createFrom()
        .iterable(names)
        .filter(name -> live.remembered(name).isEmpty())
        .onItem()
        .transformToUniAndConcatenate(name -> turns.take(client, () -> create(name, missing)))
        .collect()
        .last()
        .replaceWithVoid();
  }

  /** The filter to be like. Reads it again, because it may have been rebuilt. */
  private Uni<Generation> like(MissingFilter missing) {
    return live.find(missing.like()).map(Filter::live).invoke(its -> requireUsable(its, missing));
  }

  private static void requireUsable(Generation like, MissingFilter missing) {
    if (missing.needsTemplate() && !like.isTemplate()) {
      throw BloomException.of(
          ErrorCode.FORBIDDEN,
          "The filter '%s' is not a template, so only a key with the role admin may create filters like it; the key '%s' has the role writer. Nothing was changed. Name a filter that was created with \"template\": true, or use another key."
              .formatted(like.name(), missing.quota().owner()));
    }
    if (like.isAdopted()) {
      throw RequestErrors.invalid(
          "The filter '%s' uses the bitmap of another library, so no filter can be created like it. Nothing was changed. Name another filter in like."
              .formatted(like.name()));
    }
  }
}
