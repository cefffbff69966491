package io.github.bloomgate.filters;

import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.store.RawStore;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Creates filters over the bitmaps that other libraries keep in Redis. The library and the service
 * then read and write the same bits.
 */
@ApplicationScoped
public class AdoptionService {

  /** All keys of the service begin with this. */
  private static final String OWN_KEYS = "bloom:";

  private final CreationService creations;
  private final RawStore bitmaps;

  public AdoptionService(CreationService creations, RawStore bitmaps) {
    this.creations = creations;
    this.bitmaps = bitmaps;
  }

  /**
   * Adopts the bitmap under a key, or creates one there that the library can open.
   *
   * @param parameters of the library's filter; empty to read them from the hash that the library
   *     keeps beside it
   * @param expiresAt the deadline of all keys; empty for the one that the bitmap has
   * @param quota that of the key that asks; where it or that of the service limits bytes, only what
   *     the library has made is adopted
   * @throws BloomException INVALID_REQUEST if there is no telling the parameters, or the key cannot
   *     be adopted; KEY_MISMATCH if what is there is not of these parameters; WRONG_KEY_TYPE;
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
    return creations.adopt(name, found, key, expiresAt, quota);
  }

  private static void requireAdoptable(
      String redisKey, HashScheme scheme, Optional<FilterParameters> parameters) {
    if (!scheme.isAdoptable()) {
      throw RequestErrors.invalid(
          "redisKey does not go with the hashScheme %s: no other client keeps such bitmaps as Redis strings. Send the hashScheme of the library that uses the key, or leave redisKey out."
              .formatted(scheme.id()));
    }
    if (redisKey.startsWith(OWN_KEYS)) {
      throw RequestErrors.invalid(
          "Keys that begin with '%s' are the service's own and cannot be adopted. Send the key of another library."
              .formatted(OWN_KEYS));
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(redisKey)) {
      throw RequestErrors.invalid(
          "redisKey is not valid Unicode: it holds half of a surrogate pair. Send it whole.");
    }
    if (parameters.filter(given -> given.whenFull() != WhenFull.ACCEPT).isPresent()) {
      throw RequestErrors.invalid(
          "whenFull can only be accept with redisKey: the service does not see what others add there. Leave it out.");
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
                        "The library of %s does not store the shape of its filters. Send bitSize and numHashFunctions as the library has them."
                            .formatted(scheme.id())));
    return read(name, scheme, config, bitmaps.companion(name, config));
  }

  /** The fields of Redisson, the only library that has such a hash. */
  private static FilterParameters read(
      FilterName name, HashScheme scheme, String config, Map<String, String> fields) {
    if (fields.isEmpty()) {
      throw RequestErrors.invalid(
          "There is no Redis key %s to read the shape from. Send expectedInsertions and falsePositiveProbability to make a new filter, or correct redisKey."
              .formatted(config));
    }
    var size = number(fields.get("size"));
    var hashIterations = number(fields.get("hashIterations"));
    if (size.isEmpty() || hashIterations.isEmpty()) {
      throw FilterErrors.keyMismatch(name, config, "lacks a plain size or hashIterations");
    }
    return FilterParameters.asStored(
        scheme,
        size.getAsLong(),
        (int) Math.min(Integer.MAX_VALUE, hashIterations.getAsLong()),
        number(fields.get("expectedInsertions")),
        rate(fields.get("falseProbability")));
  }

  /** Scripts compare the text, so a number that is written in another way is none. */
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
