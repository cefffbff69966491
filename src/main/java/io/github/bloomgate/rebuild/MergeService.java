package io.github.bloomgate.rebuild;

import static io.github.bloomgate.rebuild.BitmapLoads.is;

import io.github.bloomgate.filters.Description;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.filters.RebuildDescription;
import io.github.bloomgate.hash.KeyOrigin;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.Difference;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RequestErrors;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.jboss.logging.Logger;

/**
 * Merges filters: one of them then holds what all of them hold.
 *
 * <p>The union is loaded as the next generation of the filter, of which its rate is known exactly
 * before it takes the place of the live one in one step; so a merge that is refused or cut short
 * leaves the filter as it was. Adds to the filter go to both generations meanwhile. Of the filters
 * that are merged into it, every element whose add was acknowledged before the request is in the
 * union; one that is added meanwhile may be.
 */
@ApplicationScoped
public class MergeService {

  /** The most filters that can be merged into one by one request. */
  public static final int MAX_FILTERS = 16;

  private static final Logger LOG = Logger.getLogger(MergeService.class);

  /** What decides which bits an element has, by the names it has for clients. */
  private static final Map<String, Function<FilterParameters, Object>> PLACES =
      Map.of(
          "hashScheme", parameters -> parameters.hashScheme().id(),
          "elementCodec", parameters -> parameters.hashScheme().elementCodec().orElse(null),
          "hashSecretId", parameters -> origin(parameters, KeyOrigin::secretId),
          "hashSalt", parameters -> origin(parameters, KeyOrigin::salt),
          "bitSize", parameters -> parameters.shape().bitSize(),
          "segments", parameters -> parameters.shape().segments(),
          "numHashFunctions", parameters -> parameters.shape().numHashFunctions());

  private static final List<String> ORDER =
      List.of(
          "hashScheme",
          "elementCodec",
          "hashSecretId",
          "hashSalt",
          "bitSize",
          "segments",
          "numHashFunctions");

  private final LiveFilters live;
  private final RebuildOpening openings;
  private final RebuildService rebuilds;
  private final BitmapLoads loads;

  public MergeService(
      LiveFilters live, RebuildOpening openings, RebuildService rebuilds, BitmapLoads loads) {
    this.openings = openings;
    this.live = live;
    this.rebuilds = rebuilds;
    this.loads = loads;
  }

  /**
   * Merges filters into another; its parameters and its deadline stay.
   *
   * @param from from 1 to {@link #MAX_FILTERS} filters, which stay as they are
   * @param maxFalsePositiveProbability the highest rate the union may have. One that rejects
   *     elements beyond its n never exceeds the rate it promises in any case.
   * @return the filter with the union
   * @throws BloomException INVALID_REQUEST if a filter is named twice; FILTER_NOT_FOUND;
   *     INCOMPATIBLE_FILTERS if an element has other bits in one of them; RATE_EXCEEDED;
   *     FILTER_CHANGED if one of them changed at every attempt, or the union was deleted or renamed
   *     the moment it was there; REBUILD_IN_PROGRESS, STORE_FULL
   */
  public Uni<Description> merge(
      FilterName name, List<FilterName> from, OptionalDouble maxFalsePositiveProbability) {
    var names = new HashSet<>(List.of(name));
    for (var other : from) {
      if (!names.add(other)) {
        return Uni.createFrom()
            .failure(
                RequestErrors.invalid(
                    "The filter '%s' is named twice. Send each filter once, and not the one they are merged into."
                        .formatted(other)));
      }
    }
    return BitmapLoads.retrying(() -> attempt(name, from, maxFalsePositiveProbability))
        .invoke(() -> LOG.infof("Merged filters into %s: %s", name, from))
        .chain(() -> rebuilds.describeCommitted(name));
  }

  private Uni<Void> attempt(FilterName name, List<FilterName> from, OptionalDouble max) {
    return Multi.createBy()
        .concatenating()
        .streams(Multi.createFrom().item(name), Multi.createFrom().iterable(from))
        .onItem()
        .transformToUniAndConcatenate(live::findReady)
        .collect()
        .asList()
        .invoke(MergeService::requireCompatible)
        .chain(
            filters ->
                open(filters.get(0))
                    .chain(next -> loads.load(next, filters, ready -> commit(filters, ready, max))))
        .onFailure(is(ErrorCode.REBUILD_NOT_FOUND))
        // With the filter it was opened for, which was deleted or replaced meanwhile.
        .transform(lost -> FilterErrors.changed(name));
  }

  private static void requireCompatible(List<Filter> filters) {
    filters.forEach(BitmapLoads::requireOneLayer);
    var target = filters.get(0);
    for (var other : filters.subList(1, filters.size())) {
      var differences = differences(target.parameters(), other.parameters());
      if (!differences.isEmpty()) {
        throw FilterErrors.incompatible(target.name(), other.name(), differences);
      }
    }
  }

  private static List<Difference> differences(FilterParameters one, FilterParameters other) {
    var differences = new ArrayList<Difference>();
    for (var field : ORDER) {
      var value = PLACES.get(field);
      if (!Objects.equals(value.apply(one), value.apply(other))) {
        differences.add(new Difference(field, value.apply(one), value.apply(other)));
      }
    }
    return differences;
  }

  private static Object origin(FilterParameters parameters, Function<KeyOrigin, String> part) {
    return parameters.hashScheme().keyOrigin().map(part).orElse(null);
  }

  private Uni<Filter> open(Filter target) {
    var parameters = target.parameters();
    return openings.open(
        target.name(),
        now -> {
          if (!now.equals(parameters)) {
            throw FilterErrors.changed(target.name());
          }
          return parameters;
        },
        BitmapLoads.PATIENCE);
  }

  private Uni<Void> commit(List<Filter> filters, Filter next, OptionalDouble max) {
    return Multi.createFrom()
        .iterable(filters)
        .onItem()
        .transformToUniAndConcatenate(live::findUnchanged)
        .onItem()
        .ignoreAsUni()
        .chain(() -> rebuilds.describe(next.name()))
        .invoke(union -> requireRate(next, union, max))
        .chain(() -> rebuilds.putLive(next, 0, NewDeadline.KEEP));
  }

  private static void requireRate(Filter next, RebuildDescription union, OptionalDouble max) {
    var rate = union.statistics().estimatedFalsePositiveProbability();
    var fill = union.statistics().fillRatio();
    if (max.isPresent() && rate > max.getAsDouble()) {
      throw FilterErrors.rateExceeded(
          next.name(), rate, fill, "maxFalsePositiveProbability", max.getAsDouble());
    }
    // Of a filter that grows, the first layer has a share of what it promises.
    var promised = next.layers().get(0).falsePositiveProbability();
    var whenFull = next.parameters().whenFull();
    if (whenFull != WhenFull.ACCEPT && rate > promised) {
      throw FilterErrors.rateExceeded(
          next.name(),
          rate,
          fill,
          "falsePositiveProbability, with \"whenFull\": \"%s\","
              .formatted(whenFull.name().toLowerCase(Locale.ROOT)),
          promised);
    }
  }
}
