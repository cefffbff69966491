package io.github.bloomgate.filters;

import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.store.Keys;
import io.github.bloomgate.store.RawStore;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Creates filters over the bitmaps of other libraries in Redis. The library and the service then
 * share the same bits.
 */
@ApplicationScoped
public class AdoptionService {

  /** The fields of Redisson, the only library that stores the shape of a filter. */
  private static final List<String> CONFIG =
      List.of("size", "hashIterations", "expectedInsertions", "falseProbability");

  private final CreationService creations;
  private final RawStore bitmaps;

  public AdoptionService(CreationService creations, RawStore bitmaps) {
    this.creations = creations;
    this.bitmaps = bitmaps;
  }

  /**
   * Adopts the bitmap under a key, or creates one there that the library can open.
   *
   * @param parameters of the library's filter; empty to read them from the library's companion hash
   * @param expiresAt the expiry of all keys; empty to keep the bitmap's
   * @param quota of the caller's key; if it or the service limits bytes, only an existing bitmap is
   *     adopted
   * @throws BloomException INVALID_REQUEST if the parameters are unknown or the key cannot be
   *     adopted; KEY_MISMATCH if the bitmap does not match the parameters; WRONG_KEY_TYPE;
   *     FILTER_EXISTS, STORE_FULL, LIMIT_EXCEEDED
   */
  public CreateOutcome adopt(
      FilterName name,
      String redisKey,
      HashScheme scheme,
      Optional<FilterParameters> parameters,
      Optional<Instant> expiresAt,
      Quota quota) {
    requireAdoptable(redisKey, scheme, parameters);
    var key = AdoptedKey.of(scheme, redisKey);
    var found = parameters.orElseGet(() -> stored(name, scheme, redisKey));
    return creations.create(name, found, Optional.of(key), NewExpiry.of(expiresAt), quota);
  }

  private static void requireAdoptable(
      String redisKey, HashScheme scheme, Optional<FilterParameters> parameters) {
    if (!scheme.isAdoptable()) {
      throw RequestErrors.invalid(
          "redisKey does not work with the hashScheme %s: no other client keeps such bitmaps as Redis strings. Send the hashScheme of the library that uses the key, or leave redisKey out."
              .formatted(scheme.id()));
    }
    if (redisKey.startsWith(Keys.PREFIX)) {
      throw RequestErrors.invalid(
          "Keys that begin with '%s' are the service's own and cannot be adopted. Send the key of another library."
              .formatted(Keys.PREFIX));
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(redisKey)) {
      throw RequestErrors.invalid(
          "redisKey is not valid Unicode: it holds half of a surrogate pair. Send it whole.");
    }
    if (parameters.filter(given -> given.whenFull() != WhenFull.ACCEPT).isPresent()) {
      throw RequestErrors.invalid(
          "whenFull can only be accept with redisKey: the service does not see the adds of other clients. Leave it out.");
    }
    scheme
        .keyProblem(redisKey)
        .ifPresent(
            problem -> {
              throw RequestErrors.invalid(problem);
            });
  }

  private FilterParameters stored(FilterName name, HashScheme scheme, String redisKey) {
    var config =
        scheme
            .configKey(redisKey)
            .orElseThrow(
                () ->
                    RequestErrors.invalid(
                        "The library of %s does not store the shape of its filters. Send the library's bitSize and numHashFunctions."
                            .formatted(scheme.id())));
    var fields =
        bitmaps
            .companion(name, config, CONFIG)
            .orElseThrow(
                () ->
                    RequestErrors.invalid(
                        "There is no Redis key %s to read the shape from. Send expectedInsertions and falsePositiveProbability to create a new filter, or correct redisKey."
                            .formatted(config)));
    var size = number(fields.get("size"));
    var hashIterations = number(fields.get("hashIterations"));
    if (size.isEmpty() || hashIterations.isEmpty()) {
      throw FilterErrors.keyMismatch(name, config, "lacks a valid size or hashIterations");
    }
    return FilterParameters.asStored(
        scheme,
        size.getAsLong(),
        hashIterations.getAsLong(),
        number(fields.get("expectedInsertions")),
        rate(fields.get("falseProbability")));
  }

  /** Scripts compare the text, so only the canonical form of a number is valid. */
  private static OptionalLong number(String text) {
    return text != null && text.matches("[1-9][0-9]{0,17}")
        ? OptionalLong.of(Long.parseLong(text))
        : OptionalLong.empty();
  }

  private static OptionalDouble rate(String text) {
    try {
      return text == null ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(text));
    } catch (NumberFormatException malformed) {
      return OptionalDouble.empty();
    }
  }
}
