package io.github.bloomgate.http.limits;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.filters.Filter;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.limits.RateLimit.Cost;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.threads.OwnContext;
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
  private final RateLimit requestsOfKey;
  private final RateLimit elementsOfKey;
  private final RateLimit requestsOfFilter;
  private final RateLimit elementsOfFilter;
  private final boolean elements;
  private final int pacedBytes;

  @Inject
  RateLimits(Caller caller, LiveFilters live, BloomgateConfig config, MeterRegistry metrics) {
    var limits = config.limits();
    this.caller = caller;
    this.live = live;
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
   * Counts an authorised request.
   *
   * @param filter the name in its path, or null
   * @throws BloomException RATE_LIMITED if a rate is exceeded
   */
  public void takeRequest(RoutingContext context, String filter) {
    var costs = filter == null ? List.<Cost>of() : List.of(new Cost(filter, 1));
    take(context, 1, costs, requestsOfKey, requestsOfFilter);
  }

  /**
   * Counts a request to several filters for each of them, after {@link #takeRequest} has counted it
   * for the key.
   *
   * @throws BloomException RATE_LIMITED if a rate is exceeded; then it counts for none
   */
  public void takeRequests(RoutingContext context, List<FilterName> filters) {
    if (requestsOfFilter.isOn()) {
      var costs = filters.stream().map(filter -> new Cost(filter.value(), 1)).toList();
      requestsOfFilter.take(costs, context.response().headers());
    }
  }

  /**
   * Counts the elements of a request, weighted by their cost.
   *
   * @return fails with RATE_LIMITED before anything was done, or FILTER_NOT_FOUND
   */
  public Uni<Void> takeElements(RoutingContext context, FilterName filter, int count) {
    return takeElements(context, List.of(filter), count, false);
  }

  /**
   * Counts the elements of a request to several filters for each of them.
   *
   * @param mayBeMissing whether to leave out filters that do not exist
   * @return fails as {@link #takeElements(RoutingContext, FilterName, int)}; then they count for
   *     none
   */
  public Uni<Void> takeElements(
      RoutingContext context, List<FilterName> filters, int count, boolean mayBeMissing) {
    return elements
        ? find(filters, mayBeMissing)
            .invoke(found -> takeElements(context, found, count))
            .replaceWithVoid()
        : Uni.createFrom().voidItem();
  }

  private Uni<List<Filter>> find(List<FilterName> names, boolean mayBeMissing) {
    var found = names.stream().map(name -> find(name, mayBeMissing)).toList();
    return Uni.join()
        .all(found)
        .andFailFast()
        .map(all -> all.stream().flatMap(Optional::stream).toList());
  }

  private Uni<Optional<Filter>> find(FilterName name, boolean mayBeMissing) {
    return live.rememberedOrFound(name)
        .map(found -> Optional.of(found.live()))
        .onFailure(failure -> mayBeMissing && ErrorCode.FILTER_NOT_FOUND.isOf(failure))
        .recoverWithItem(Optional::empty);
  }

  /**
   * Counts elements for a known generation.
   *
   * @throws BloomException RATE_LIMITED; nothing was done
   */
  public void takeElements(RoutingContext context, Filter filter, int count) {
    if (elements) {
      takeElements(context, List.of(filter), count);
    }
  }

  private void takeElements(RoutingContext context, List<Filter> filters, int count) {
    var costs = costs(filters, count);
    take(context, sum(costs), costs, elementsOfKey, elementsOfFilter);
  }

  /** The cost of a number of elements in each filter. */
  private static List<Cost> costs(List<Filter> filters, int count) {
    var costs = new ArrayList<Cost>(filters.size());
    for (var filter : filters) {
      costs.add(new Cost(filter.name().value(), count * costOfElement(filter)));
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

  private static int costOfElement(Filter filter) {
    var layers = filter.plan().layers();
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
   * The pace of a stream to several filters, where each batch counts for every filter. Blocks.
   *
   * @param mayBeMissing whether to leave out filters that do not exist
   */
  public Pace pace(RoutingContext context, List<FilterName> filters, boolean mayBeMissing) {
    return pace(context, elements ? await(find(filters, mayBeMissing)) : List.of());
  }

  /** The pace of a stream to a known generation. */
  public Pace pace(RoutingContext context, Filter filter) {
    return pace(context, List.of(filter));
  }

  private Pace pace(RoutingContext context, List<Filter> filters) {
    var key = caller.identity(context).id();
    return count -> {
      var costs = costs(filters, count);
      var waitOfKey = elementsOfKey.pace(List.of(new Cost(key, sum(costs))));
      var wait = Math.max(waitOfKey, elementsOfFilter.pace(costs));
      var allowed = Uni.createFrom().voidItem();
      return wait == 0
          ? allowed
          : allowed.onItem().delayIt().by(Duration.ofMillis(wait)).emitOn(OwnContext.here());
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
