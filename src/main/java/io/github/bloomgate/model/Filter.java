package io.github.bloomgate.model;

import io.github.bloomgate.hash.FilterShape;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A filter as its first segment's state describes it.
 *
 * @param name its name
 * @param parameters what it was created with
 * @param generation which content it holds
 * @param revision how often its content or deadline changed; later segments follow it
 * @param pending what its later segments still have to follow
 * @param createdAt when it was created, by the service's clock
 * @param expiresAt when it vanishes with all its content, if ever
 * @param adoptedKey where its bits are, if they are a library's; of a next generation, where they
 *     shall go
 * @param isNext whether this is the generation that a rebuild loads, not the live one
 * @param next of a live filter, the generation that a rebuild was loading when this was read; the
 *     scripts know whether it still does
 * @param layers the layers that take elements; at least one
 * @param planned the layer that is being made behind them, if one is
 */
public record Filter(
    FilterName name,
    FilterParameters parameters,
    Generation generation,
    long revision,
    Pending pending,
    Instant createdAt,
    Optional<Instant> expiresAt,
    Optional<AdoptedKey> adoptedKey,
    boolean isNext,
    Optional<Generation> next,
    List<Layer> layers,
    Optional<Layer> planned) {

  /** Has the layers not changed by others. */
  public Filter {
    layers = List.copyOf(layers);
  }

  /** A filter of one layer. */
  public Filter(
      FilterName name,
      FilterParameters parameters,
      Generation generation,
      long revision,
      Pending pending,
      Instant createdAt,
      Optional<Instant> expiresAt,
      Optional<AdoptedKey> adoptedKey,
      boolean isNext,
      Optional<Generation> next) {
    this(
        name,
        parameters,
        generation,
        revision,
        pending,
        createdAt,
        expiresAt,
        adoptedKey,
        isNext,
        next,
        List.of(Growth.first(parameters, Optional.of(createdAt))),
        Optional.empty());
  }

  /** A new filter, whose later segments are still to be made if it has several. */
  public static Filter create(
      FilterName name,
      FilterParameters parameters,
      Instant createdAt,
      Optional<Instant> expiresAt) {
    return create(name, parameters, createdAt, expiresAt, Optional.empty());
  }

  /** A filter whose bits are those under a library's key. */
  public static Filter adopt(
      FilterName name,
      FilterParameters parameters,
      AdoptedKey key,
      Instant adoptedAt,
      Optional<Instant> expiresAt) {
    return create(name, parameters, adoptedAt, expiresAt, Optional.of(key));
  }

  private static Filter create(
      FilterName name,
      FilterParameters parameters,
      Instant createdAt,
      Optional<Instant> expiresAt,
      Optional<AdoptedKey> adoptedKey) {
    return new Filter(
        name,
        parameters,
        Generation.first(),
        1,
        pendingOf(parameters.shape().segments()),
        createdAt,
        expiresAt,
        adoptedKey,
        false,
        Optional.empty());
  }

  /** The generation that a rebuild is going to load, in place of this one. */
  public Filter successor(FilterPlan plan, Instant openedAt) {
    return next(name, plan, generation.successor(), openedAt, adoptedKey);
  }

  /** The generation that shall become a filter that does not exist yet. */
  public static Filter toCome(FilterName name, FilterPlan plan, Instant openedAt) {
    return next(name, plan, Generation.first(), openedAt, Optional.empty());
  }

  private static Filter next(
      FilterName name,
      FilterPlan plan,
      Generation generation,
      Instant openedAt,
      Optional<AdoptedKey> adoptedKey) {
    return new Filter(
        name,
        plan.parameters(),
        generation,
        1,
        pendingOf(plan.segments()),
        openedAt,
        Optional.empty(),
        adoptedKey,
        true,
        Optional.empty(),
        plan.layers().stream().map(layer -> layer.openedAt(openedAt)).toList(),
        Optional.empty());
  }

  private static Pending pendingOf(int segments) {
    return segments > 1 ? Pending.CREATE : Pending.NOTHING;
  }

  /** What the later segments of a filter still have to follow. */
  public enum Pending {
    /** Nothing: all are as they should be. */
    NOTHING,
    /** They are being made; the filter takes no elements yet. */
    CREATE,
    /** They are emptied one by one, or as soon as they are touched. */
    CLEAR,
    /** They are given a new deadline one by one. */
    EXPIRE
  }

  /** Segments, bits of each, hash functions; those of the first layer if there are several. */
  public FilterShape shape() {
    return parameters.shape();
  }

  /** Bits and hash functions of a segment, by its index among those of all layers. */
  public FilterShape shapeOf(int segment) {
    return segment < shape().segments() ? shape() : layerOf(segment).shape();
  }

  /** How many elements a segment takes before it refuses, or 0 if it never does. */
  public long maxInsertions(int segment) {
    return segment < shape().segments()
        ? parameters.maxInsertionsPerSegment()
        : layerOf(segment).maxInsertionsPerSegment();
  }

  private Layer layerOf(int segment) {
    for (var layer : layers) {
      if (segment < layer.endSegment()) {
        return layer;
      }
    }
    throw new IndexOutOfBoundsException(segment);
  }

  /** How many segments all layers have. */
  public int segments() {
    return layers.get(layers.size() - 1).endSegment();
  }

  /** How many elements all layers were made for. */
  public long expectedInsertions() {
    return layers.stream().mapToLong(Layer::expectedInsertions).sum();
  }

  /** Bits of all layers. */
  public long bitSize() {
    return layers.stream().mapToLong(layer -> layer.shape().bitSize()).sum();
  }

  /** Bytes of the bitmaps of all layers. */
  public long sizeBytes() {
    return bytes(layers);
  }

  /** Likewise, with those of the layer that is being made. */
  public long takenBytes() {
    return sizeBytes() + planned.map(layer -> layer.shape().sizeBytes()).orElse(0L);
  }

  private static long bytes(List<Layer> layers) {
    return layers.stream().mapToLong(layer -> layer.shape().sizeBytes()).sum();
  }

  /** Whether it gets another layer when it is full. */
  public boolean grows() {
    return parameters.growth().isPresent();
  }

  /** For how long it remembers elements, if not for ever. */
  public Optional<Window> window() {
    return parameters.window();
  }

  /** Whether its elements can be removed. */
  public boolean isCounting() {
    return parameters.counting();
  }

  /** Whether its segments hold bits that are never unset: it neither forgets nor counts. */
  public boolean isPlain() {
    return parameters.isPlain();
  }

  /** The layer that is planned, or would be; empty if it can grow no further. */
  public Optional<Layer> nextLayer() {
    return planned.isPresent()
        ? planned
        : parameters.growth().flatMap(growth -> growth.next(parameters, layers));
  }

  /**
   * The parameters that a next generation has if none are asked for: those of this one, with one
   * layer for as many elements as all of its layers.
   */
  public FilterParameters rebuildParameters() {
    return layers.size() == 1
        ? parameters
        : FilterParameters.growing(
            parameters.hashScheme(),
            Math.min(FilterParameters.MAX_EXPECTED_INSERTIONS, expectedInsertions()),
            parameters.falsePositiveProbability(),
            parameters.growth().orElseThrow());
  }

  /** The same with the layer that is planned among its layers. */
  public Filter withPlanned() {
    var all = new ArrayList<>(layers);
    planned.ifPresent(all::add);
    return withLayers(all, Optional.empty());
  }

  /** The same with another layer planned. */
  public Filter planning(Layer layer) {
    return withLayers(layers, Optional.of(layer));
  }

  /** The same with other layers. */
  public Filter withLayers(List<Layer> someLayers, Optional<Layer> somePlanned) {
    return new Filter(
        name,
        parameters,
        generation,
        revision,
        pending,
        createdAt,
        expiresAt,
        adoptedKey,
        isNext,
        next,
        someLayers,
        somePlanned);
  }

  /** Whether its bits are under a library's key, where others may set some too. */
  public boolean isAdopted() {
    return adoptedKey.isPresent() && !isNext;
  }

  /** Whether its insertions are all there were, those of a library included. */
  public boolean countsAllInsertions() {
    return !isAdopted()
        || parameters.hashScheme().counterKey(adoptedKey.orElseThrow().redisKey()).isPresent();
  }

  /** Whether elements can be added and tested. */
  public boolean isReady() {
    return pending != Pending.CREATE;
  }
}
