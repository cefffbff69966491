package io.github.bloomgate.http.limits;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.filters.Filter;
import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.filters.MissingFilter;
import io.github.bloomgate.filters.MissingFilters;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.limits.RateLimit.Cost;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.threads.OwnContext;
import io.github.bloomgate.threads.Pause;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;

/**
 * The rate limits of this instance: requests and elements of each key and each filter. Refuses
 * requests and slows down streams. Does nothing if none is configured.
 */
@Singleton
public class RateLimits {

  /**
   * An element counts once per this number of hash functions, because each of them sets or reads a
   * bit. Filters with a rate of one in a million or higher have fewer.
   */
  private static final int USUAL_HASH_FUNCTIONS = 20;

  /** Small, so that the pause for a batch is short. */
  private static final int PACED_BATCH_BYTES = 16 << 10;

  private final Caller caller;
  private final LiveFilters live;
  private final MissingFilters missing;
  private final RateLimit requestsOfKey;
  private final RateLimit elementsOfKey;
  private final RateLimit requestsOfFilter;
  private final RateLimit elementsOfFilter;
  private final boolean elements;
  private final int pacedBytes;

  @Inject
  RateLimits(
      Caller caller,
      LiveFilters live,
      MissingFilters missing,
      BloomgateConfig config,
      MeterRegistry metrics) {
    var limits = config.limits();
    this.caller = caller;
    this.live = live;
    this.missing = missing;
    this.requestsOfKey =
        new RateLimit("requests-per-key", limits.requestsPerSecondPerKey(), metrics);
    this.elementsOfKey =
        new RateLimit("elements-per-key", limits.elementsPerSecondPerKey(), metrics);
    this.requestsOfFilter =
        new RateLimit("requests-per-filter", limits.requestsPerSecondPerFilter(), metrics);
    this.elementsOfFilter =
        new RateLimit("elements-per-filter", limits.elementsPerSecondPerFilter(), metrics);
    this.elements = elementsOfKey.isOn() || elementsOfFilter.isOn();
    this.pacedBytes =
        Math.min(PACED_BATCH_BYTES, Math.min(elementsOfKey.aSecond(), elementsOfFilter.aSecond()));
  }

  /**
   * Counts an authorised request for its key and its filters.
   *
   * @param filters the names in its path: one or none
   * @throws BloomException RATE_LIMITED if a rate is exceeded; then it counts for none
   */
  public void takeRequest(RoutingContext context, List<String> filters) {
    take(context, 1, costs(filters), requestsOfKey, requestsOfFilter);
  }

  /**
   * Counts a request for further filters, after {@link #takeRequest} has counted it for the key.
   *
   * @throws BloomException RATE_LIMITED if a rate is exceeded; then it counts for none of them
   */
  public void takeFilters(RoutingContext context, List<String> filters) {
    requestsOfFilter.take(costs(filters), context.response().headers());
  }

  private List<Cost> costs(List<String> filters) {
    return requestsOfFilter.isOn()
        ? filters.stream().map(filter -> new Cost(filter, 1)).toList()
        : List.of();
  }

  /**
   * Counts the elements of a request for each of its filters, weighted by their cost.
   *
   * @param mayBeMissing whether to leave out filters that do not exist
   * @return fails with RATE_LIMITED before anything was done, or FILTER_NOT_FOUND; then they count
   *     for none
   */
  public Uni<Void> takeElements(
      RoutingContext context, List<FilterName> filters, int count, boolean mayBeMissing) {
    return elements
        ? live.rememberedOrFound(filters, mayBeMissing, caller.client(context))
            .invoke(found -> takeElements(context, live(found), count))
            .replaceWithVoid()
        : Uni.createFrom().voidItem();
  }

  /**
   * Counts the elements of an add for each of its filters. A filter that it creates counts too.
   *
   * @param ifMissing how it creates filters; empty if it does not
   * @return fails as {@link #takeElements(RoutingContext, List, int, boolean)}, and as {@link
   *     MissingFilters#foundOrPlanned}
   */
  public Uni<Void> takeAdded(
      RoutingContext context,
      List<FilterName> filters,
      int count,
      Optional<MissingFilter> ifMissing) {
    if (!elements || ifMissing.isEmpty()) {
      return takeElements(context, filters, count, false);
    }
    return missing
        .foundOrPlanned(filters, ifMissing.get(), caller.client(context))
        .invoke(found -> takeElements(context, live(found), count))
        .replaceWithVoid();
  }

  private static List<Generation> live(List<Filter> found) {
    return found.stream().map(Filter::live).toList();
  }

  /**
   * Counts elements for known generations of different filters.
   *
   * @throws BloomException RATE_LIMITED; nothing was done
   */
  public void takeElements(RoutingContext context, List<Generation> generations, int count) {
    if (elements) {
      var costs = costs(generations, count);
      take(context, sum(costs), costs, elementsOfKey, elementsOfFilter);
    }
  }

  /** The cost of a number of elements in each filter. */
  private static List<Cost> costs(List<Generation> generations, int count) {
    var costs = new ArrayList<Cost>(generations.size());
    for (var generation : generations) {
      costs.add(new Cost(generation.name().value(), count * costOfElement(generation)));
    }
    return costs;
  }

  private static int sum(List<Cost> costs) {
    var sum = 0;
    for (var cost : costs) {
      sum += cost.tokens();
    }
    return sum;
  }

  private static int costOfElement(Generation generation) {
    var layers = generation.plan().layers();
    var hashFunctions = layers.get(layers.size() - 1).shape().numHashFunctions();
    return (hashFunctions + USUAL_HASH_FUNCTIONS - 1) / USUAL_HASH_FUNCTIONS;
  }

  /**
   * Takes tokens of the key and of each filter, or of none.
   *
   * @param count the tokens of the key
   * @param costs for different filters
   */
  private void take(
      RoutingContext context, int count, List<Cost> costs, RateLimit ofKey, RateLimit ofFilter) {
    var headers = context.response().headers();
    var costOfKey =
        ofKey.isOn() ? List.of(new Cost(caller.identity(context).id(), count)) : List.<Cost>of();
    ofKey.take(costOfKey, headers);
    try {
      ofFilter.take(costs, headers);
    } catch (BloomException refusal) {
      // Nothing is done, so the key gets its tokens back.
      ofKey.giveBack(costOfKey);
      throw refusal;
    }
  }

  /** Slows down a stream of elements to the rates of its filters and its key. */
  public interface Pace {

    /**
     * Counts a batch; completes when the rates allow it. The stream does not read during the wait,
     * which slows down the client.
     */
    Uni<Void> before(int count);
  }

  /**
   * The pace of a stream to filters. Blocks.
   *
   * @param mayBeMissing whether to leave out filters that do not exist
   */
  public Pace pace(RoutingContext context, List<FilterName> filters, boolean mayBeMissing) {
    return pace(
        context,
        elements
            ? live(await(live.rememberedOrFound(filters, mayBeMissing, caller.client(context))))
            : List.of());
  }

  /** The pace of a stream to known generations, where each batch counts for every one. */
  public Pace pace(RoutingContext context, List<Generation> generations) {
    var key = caller.identity(context).id();
    return count -> {
      var costs = costs(generations, count);
      var waitOfKey = elementsOfKey.pace(List.of(new Cost(key, sum(costs))));
      var wait = Math.max(waitOfKey, elementsOfFilter.pace(costs));
      return wait == 0
          ? Uni.createFrom().voidItem()
          : Uni.createFrom()
              .completionStage(() -> Pause.of(Duration.ofMillis(wait)))
              .emitOn(OwnContext.here());
    };
  }

  /**
   * The most bytes of lines in one batch: at most the elements of one second, which limits the wait
   * before the stream checks its client.
   */
  public IntUnaryOperator batchBytes(StreamSlots.Slot slot) {
    return elements ? last -> pacedBytes : slot::batchBytes;
  }
}
