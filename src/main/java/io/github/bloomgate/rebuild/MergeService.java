package io.github.bloomgate.rebuild;

import io.github.bloomgate.filters.Attempts;
import io.github.bloomgate.filters.DescriptionService;
import io.github.bloomgate.filters.FoundFilter;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.filters.RebuildDescription;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.KeyOrigin;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.Difference;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RequestErrors;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
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
  private static final List<Difference.Field<Filter>> PLACES =
      List.of(
          new Difference.Field<>("hashScheme", filter -> scheme(filter).id()),
          new Difference.Field<>(
              "elementCodec", filter -> scheme(filter).elementCodec().orElse(null)),
          new Difference.Field<>("hashSecretId", filter -> origin(filter, KeyOrigin::secretId)),
          new Difference.Field<>("hashSalt", filter -> origin(filter, KeyOrigin::salt)),
          new Difference.Field<>("bitSize", Filter::bitSize),
          new Difference.Field<>("segments", Filter::segments),
          new Difference.Field<>("numHashFunctions", filter -> filter.shape().numHashFunctions()),
          new Difference.Field<>(
              "window.seconds", filter -> filter.window().map(Window::seconds).orElse(null)),
          new Difference.Field<>(
              "slices", filter -> filter.window().map(Window::slices).orElse(null)));

  /**
   * Likewise of filters of which one has grown. An element is looked for in a later layer only
   * where the layer before is full, so each must be full at the same number of elements.
   */
  private static final List<Difference.Field<Filter>> LAYERS =
      List.of(
          new Difference.Field<>(
              "layers.expectedInsertions", filter -> ofLayers(filter, Layer::expectedInsertions)),
          new Difference.Field<>(
              "layers.bitSize", filter -> ofLayers(filter, layer -> layer.shape().bitSize())),
          new Difference.Field<>(
              "layers.numHashFunctions",
              filter -> ofLayers(filter, layer -> layer.shape().numHashFunctions())));

  private final LiveFilters live;
  private final DescriptionService descriptions;
  private final Rebuilds rebuilds;
  private final ContentLoads loads;

  public MergeService(
      LiveFilters live, DescriptionService descriptions, Rebuilds rebuilds, ContentLoads loads) {
    this.live = live;
    this.descriptions = descriptions;
    this.rebuilds = rebuilds;
    this.loads = loads;
  }

  /**
   * Merges filters into another; its parameters, its layers and its deadline stay.
   *
   * @param from from 1 to {@link #MAX_FILTERS} filters, which stay as they are
   * @param maxFalsePositiveProbability the highest rate the union may have. One that rejects
   *     elements beyond its n never exceeds the rate it promises in any case.
   * @throws BloomException INVALID_REQUEST if a filter is named twice, counts, or forgets by
   *     insertions; FILTER_NOT_FOUND; INCOMPATIBLE_FILTERS if an element has other bits in one of
   *     them, or one has grown to other layers; RATE_EXCEEDED; FILTER_CHANGED if one of them
   *     changed at every attempt, or the union was deleted or renamed the moment it was there;
   *     REBUILD_IN_PROGRESS, STORE_FULL
   */
  public void merge(
      FilterName name,
      List<FilterName> from,
      OptionalDouble maxFalsePositiveProbability,
      Client client) {
    var names = new LinkedHashSet<>(List.of(name));
    for (var other : from) {
      if (!names.add(other)) {
        throw RequestErrors.invalid(
            "The filter '%s' is named twice. Send each filter once, and not the one they are merged into."
                .formatted(other));
      }
    }
    for (var attempt = 1; !isDone(names, maxFalsePositiveProbability, client); attempt++) {
      if (attempt == Attempts.MAX) {
        throw FilterErrors.changed(name);
      }
    }
    LOG.infof("Merged filters into %s: %s", name, from);
  }

  /** Merges them, unless one of them was changed by others meanwhile. */
  private boolean isDone(Collection<FilterName> names, OptionalDouble max, Client client) {
    var found = names.stream().map(live::get).toList();
    requireCompatible(found.stream().map(FoundFilter::filter).toList());
    var target = found.get(0).filter();
    try (var rebuild = open(target)) {
      // As of the version that they have now: one of them has an open rebuild since.
      var now = found.stream().map(one -> live.getUnchanged(one.filter())).toList();
      loads.load(now, rebuild, client);
      client.requireThere();
      found.forEach(one -> live.getUnchanged(one.filter()));
      requireRate(rebuild.next(), descriptions.describeRebuild(target.name()), max);
      rebuild.commit(0, NewDeadline.KEEP);
      return true;
    } catch (BloomException failure) {
      // A rebuild is gone with the filter it was opened for.
      if (failure.code() == ErrorCode.FILTER_CHANGED
          || failure.code() == ErrorCode.REBUILD_NOT_FOUND) {
        return false;
      }
      throw failure;
    }
  }

  private static void requireCompatible(List<Filter> filters) {
    filters.forEach(MergeService::requireMergeable);
    var target = filters.get(0);
    for (var other : filters.subList(1, filters.size())) {
      var differences = Difference.between(target, other, PLACES);
      var haveGrown = target.layers().size() > 1 || other.layers().size() > 1;
      if (haveGrown) {
        differences.addAll(Difference.between(target, other, LAYERS));
      }
      if (!differences.isEmpty()) {
        throw haveGrown
            ? FilterErrors.otherLayers(target.name(), other.name(), differences)
            : FilterErrors.incompatible(target.name(), other.name(), differences);
      }
    }
  }

  private static void requireMergeable(Filter filter) {
    if (filter.isCounting()) {
      throw RequestErrors.invalid(
          "The filter '%s' counts its elements and cannot be merged: what is in several would be counted twice. Create a filter with counting and add elements to both."
              .formatted(filter.name()));
    }
    if (filter.window().filter(window -> !window.isByTime()).isPresent()) {
      throw RequestErrors.invalid(
          "The filter '%s' has a window by insertions and cannot be merged: which elements of several came first nobody knows. Create a filter with the same window and add elements to both."
              .formatted(filter.name()));
    }
  }

  private static HashScheme scheme(Filter filter) {
    return filter.parameters().hashScheme();
  }

  private static Object origin(Filter filter, Function<KeyOrigin, String> part) {
    return scheme(filter).keyOrigin().map(part).orElse(null);
  }

  private static List<Object> ofLayers(Filter filter, Function<Layer, Object> part) {
    return filter.layers().stream().map(part).toList();
  }

  /** If it grows before the union is live, it has changed: see {@link LiveFilters#getUnchanged}. */
  private Rebuild open(Filter target) {
    var plan = FilterPlan.like(target);
    return rebuilds.openLike(
        target.name(),
        now -> {
          if (!FilterPlan.like(now).equals(plan)) {
            throw FilterErrors.changed(target.name());
          }
          return plan;
        },
        CopyService.IDLE_TIMEOUT,
        "");
  }

  private static void requireRate(Filter next, RebuildDescription union, OptionalDouble max) {
    var rate = union.statistics().estimatedFalsePositiveProbability();
    var fill = union.statistics().fillRatio();
    if (max.isPresent() && rate > max.getAsDouble()) {
      throw FilterErrors.rateExceeded(
          next.name(), rate, fill, "maxFalsePositiveProbability", max.getAsDouble());
    }
    // Of a filter that grows, the layers it has have a share of what it promises.
    var promised = next.layers().stream().mapToDouble(Layer::falsePositiveProbability).sum();
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
