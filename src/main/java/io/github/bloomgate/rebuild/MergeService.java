package io.github.bloomgate.rebuild;

import static java.util.stream.Collectors.joining;

import io.github.bloomgate.filters.ChangedFilter;
import io.github.bloomgate.filters.DescriptionService;
import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.filters.RebuildDescription;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.KeyOrigin;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.Difference;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.ProblemDetails;
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
 * Merges filters into one of them.
 *
 * <p>The union is loaded as the next generation of the target. Its exact false-positive rate is
 * known before it replaces the live one in one step, so a refused or interrupted merge changes
 * nothing. Adds to the target go to both generations during the merge. The union contains every
 * element whose add to a merged filter was acknowledged before the request, and perhaps elements
 * added later.
 */
@ApplicationScoped
public class MergeService {

  /** The most filters in one request. */
  public static final int MAX_FILTERS = 16;

  private static final Logger LOG = Logger.getLogger(MergeService.class);

  /** The parameters that decide the bits of an element, with their API names. */
  private static final List<Difference.Field<Generation>> PLACES =
      List.of(
          new Difference.Field<>("hashScheme", generation -> scheme(generation).id()),
          new Difference.Field<>(
              "elementCodec", generation -> scheme(generation).elementCodec().orElse(null)),
          new Difference.Field<>(
              "hashSecretId", generation -> origin(generation, KeyOrigin::secretId)),
          new Difference.Field<>("hashSalt", generation -> origin(generation, KeyOrigin::salt)),
          new Difference.Field<>("bitSize", generation -> generation.plan().bitSize()),
          new Difference.Field<>("segments", Generation::segments),
          new Difference.Field<>(
              "numHashFunctions", generation -> generation.shape().numHashFunctions()));

  /**
   * The parameters to compare if one filter has grown. A later layer is searched only where the
   * layer before is full, so all layers must have the same capacity.
   */
  private static final List<Difference.Field<Generation>> LAYERS =
      List.of(
          new Difference.Field<>(
              "layers.expectedInsertions",
              generation -> ofLayers(generation, Layer::expectedInsertions)),
          new Difference.Field<>(
              "layers.bitSize",
              generation -> ofLayers(generation, layer -> layer.shape().bitSize())),
          new Difference.Field<>(
              "layers.numHashFunctions",
              generation -> ofLayers(generation, layer -> layer.shape().numHashFunctions())));

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
   * Merges filters into another, which keeps its parameters, layers and expiry.
   *
   * @param from from 1 to {@link #MAX_FILTERS} filters, which do not change
   * @param maxFalsePositiveProbability the highest rate of the union; if the target rejects
   *     elements at capacity, its own rate is a limit too
   * @throws BloomException INVALID_REQUEST if a filter is named twice, or has counters or a window
   *     by insertions; FILTER_NOT_FOUND; INCOMPATIBLE_FILTERS if an element has different bits in
   *     one of them, or their layers differ; RATE_EXCEEDED; FILTER_CHANGED if one of them changed
   *     during every attempt, or the union was deleted or renamed immediately; REBUILD_IN_PROGRESS,
   *     STORE_FULL
   */
  public ChangedFilter merge(
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
    var merged = rebuilds.repeat(name, () -> mergeOnce(names, maxFalsePositiveProbability, client));
    LOG.infof("Merged filters into %s: %s", name, from);
    return merged;
  }

  private ChangedFilter mergeOnce(Collection<FilterName> names, OptionalDouble max, Client client) {
    var found = names.stream().map(name -> live.get(name).live()).toList();
    requireCompatible(found);
    var target = found.get(0);
    var timeout = CopyService.IDLE_TIMEOUT;
    try (var rebuild = rebuilds.openLike(target.name(), Generation::plan, timeout, "")) {
      // Read again, because opening the rebuild has changed a version.
      var now = found.stream().map(live::getUnchanged).toList();
      loads.load(ContentTransfer.Kind.MERGE, now, rebuild, client);
      client.requireThere();
      found.forEach(live::getUnchanged);
      requireRate(descriptions.describeRebuild(target.name(), client), max);
      return rebuild.commit(0, NewExpiry.KEEP);
    }
  }

  private static void requireCompatible(List<Generation> filters) {
    filters.forEach(MergeService::requireMergeable);
    var target = filters.get(0);
    for (var other : filters.subList(1, filters.size())) {
      var differences = Difference.between(target, other, PLACES);
      differences.addAll(
          Difference.between(target.kind().placeFields(), other.kind().placeFields()));
      var haveGrown = target.layers().size() > 1 || other.layers().size() > 1;
      if (haveGrown) {
        differences.addAll(Difference.between(target, other, LAYERS));
      }
      if (!differences.isEmpty()) {
        var fields = differences.stream().map(Difference::field).collect(joining(", "));
        throw BloomException.of(
            ErrorCode.INCOMPATIBLE_FILTERS,
            (haveGrown
                    ? "The filter '%s' cannot be merged into '%s', because at least one of them has grown and their layers differ in %s. Nothing was changed. Rebuild both with the same expectedInsertions, enough for the elements of both, so that each has one layer; then merge them."
                    : "The filter '%1$s' cannot be merged into '%2$s', because they differ in %3$s. Nothing was changed. Create '%1$s' again with the parameters of '%2$s', and add its elements again.")
                .formatted(other.name(), target.name(), fields),
            new ProblemDetails.Differences(differences));
      }
    }
  }

  private static void requireMergeable(Generation generation) {
    var refusal = generation.kind().mergeRefusal();
    if (refusal.isPresent()) {
      throw RequestErrors.invalid("The filter '%s' %s".formatted(generation.name(), refusal.get()));
    }
  }

  private static HashScheme scheme(Generation generation) {
    return generation.parameters().hashScheme();
  }

  private static Object origin(Generation generation, Function<KeyOrigin, String> part) {
    return scheme(generation).keyOrigin().map(part).orElse(null);
  }

  private static List<Object> ofLayers(Generation generation, Function<Layer, Object> part) {
    return generation.plan().layers().stream().map(part).toList();
  }

  private static void requireRate(RebuildDescription union, OptionalDouble max) {
    var next = union.next();
    max.ifPresent(limit -> requireRate(union, limit, "maxFalsePositiveProbability"));
    // The layers of a growing filter have only a share of its rate.
    var promised = next.plan().layers().stream().mapToDouble(Layer::falsePositiveProbability).sum();
    var whenFull = next.parameters().whenFull();
    if (whenFull != WhenFull.ACCEPT) {
      var policy = whenFull.name().toLowerCase(Locale.ROOT);
      requireRate(
          union,
          promised,
          "falsePositiveProbability, with \"whenFull\": \"%s\",".formatted(policy));
    }
  }

  private static void requireRate(RebuildDescription union, double limit, String limitedBy) {
    var rate = union.statistics().estimatedFalsePositiveProbability();
    if (rate > limit) {
      throw BloomException.of(
          ErrorCode.RATE_EXCEEDED,
          "The merge would give the filter '%s' an estimatedFalsePositiveProbability of %s, at a fillRatio of %s; its %s allows %s. Nothing was changed. Merge fewer filters, allow a higher rate, or merge into a larger filter."
              .formatted(
                  union.next().name(), rate, union.statistics().fillRatio(), limitedBy, limit));
    }
  }
}
