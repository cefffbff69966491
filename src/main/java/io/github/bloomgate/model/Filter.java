package io.github.bloomgate.model;

import io.github.bloomgate.hash.FilterShape;
import java.time.Instant;
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
    Optional<Generation> next) {

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
        pendingOf(parameters),
        createdAt,
        expiresAt,
        adoptedKey,
        false,
        Optional.empty());
  }

  /** The generation that a rebuild is going to load, in place of this one. */
  public Filter successor(FilterParameters nextParameters, Instant openedAt) {
    return next(name, nextParameters, generation.successor(), openedAt, adoptedKey);
  }

  /** The generation that shall become a filter that does not exist yet. */
  public static Filter toCome(FilterName name, FilterParameters parameters, Instant openedAt) {
    return next(name, parameters, Generation.first(), openedAt, Optional.empty());
  }

  private static Filter next(
      FilterName name,
      FilterParameters parameters,
      Generation generation,
      Instant openedAt,
      Optional<AdoptedKey> adoptedKey) {
    return new Filter(
        name,
        parameters,
        generation,
        1,
        pendingOf(parameters),
        openedAt,
        Optional.empty(),
        adoptedKey,
        true,
        Optional.empty());
  }

  private static Pending pendingOf(FilterParameters parameters) {
    return parameters.shape().segments() > 1 ? Pending.CREATE : Pending.NOTHING;
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

  /** Segments, bits of each, hash functions. */
  public FilterShape shape() {
    return parameters.shape();
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
