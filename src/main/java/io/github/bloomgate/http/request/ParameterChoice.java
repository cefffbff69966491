package io.github.bloomgate.http.request;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import java.util.Optional;

/** The parameters of a filter as a request gives them: any may be null. */
public record ParameterChoice(
    Long expectedInsertions,
    Double falsePositiveProbability,
    Long bitSize,
    Integer numHashFunctions,
    String hashScheme,
    String elementCodec,
    WhenFull whenFull,
    Integer growthFactor,
    Long maxSizeBytes,
    ContentChoice content) {

  /** Of a filter of which nothing is said about growing, windows and counters. */
  public ParameterChoice(
      Long expectedInsertions,
      Double falsePositiveProbability,
      Long bitSize,
      Integer numHashFunctions,
      String hashScheme,
      String elementCodec,
      WhenFull whenFull) {
    this(
        expectedInsertions,
        falsePositiveProbability,
        bitSize,
        numHashFunctions,
        hashScheme,
        elementCodec,
        whenFull,
        null,
        null,
        ContentChoice.NONE);
  }

  /**
   * The parameters of a new filter.
   *
   * @throws BloomException INVALID_REQUEST if too few or contradicting ones are given, or the
   *     scheme has no such filter; LIMIT_EXCEEDED if it would be too large
   */
  public FilterParameters toParameters() {
    return toParameters(Growth.MAX_SIZE_BYTES);
  }

  /**
   * Likewise.
   *
   * @param usualBound the bound of a filter that grows, if none is given
   */
  public FilterParameters toParameters(long usualBound) {
    if (content.isGiven()) {
      return content.toParameters(this, scheme(), probability());
    }
    if (!isSized()) {
      throw RequestErrors.invalid(
          "The size of the filter is missing. Send expectedInsertions, the number of elements it"
              + " shall hold, or bitSize and numHashFunctions.");
    }
    return choose(
        scheme(),
        expectedInsertions,
        probability(),
        whenFull == null ? WhenFull.ACCEPT : whenFull,
        new Growth(Growth.DEFAULT_FACTOR, usualBound));
  }

  /**
   * The parameters of a library's bitmap that is there already.
   *
   * @throws BloomException as {@link #toParameters()}; INVALID_REQUEST also if versions of the
   *     library differ in the shape
   */
  public Optional<FilterParameters> toAdoptedParameters() {
    content.refuseAdopted();
    if (!isSized() && whenFull == null && falsePositiveProbability == null) {
      return Optional.empty();
    }
    return Optional.of(toParametersOfBitmap());
  }

  /**
   * The parameters of a bitmap that is there already and does not tell them.
   *
   * @throws BloomException as {@link #toParameters()}; INVALID_REQUEST also if versions of the
   *     library differ in the shape
   */
  public FilterParameters toParametersOfBitmap() {
    var parameters = toParameters();
    if (!isBySize()) {
      parameters
          .hashScheme()
          .formerShapeFor(expectedInsertions, probability())
          .ifPresent(former -> refuseAmbiguous(parameters.shape(), former));
    }
    return parameters;
  }

  private static void refuseAmbiguous(FilterShape now, FilterShape former) {
    throw RequestErrors.invalid(
        "Versions of the library differ for these parameters: with bitSize %d, numHashFunctions is %d in new ones and %d in old ones. Send bitSize and the numHashFunctions of the version that made the bitmap."
            .formatted(now.bitSize(), now.numHashFunctions(), former.numHashFunctions()));
  }

  /**
   * The parameters of the next generation of a filter: those of the live one where none are given.
   * A keyed scheme that is given by name gets a new key.
   *
   * @param usualBound the bound of a filter that grows, if none is given and it did not grow before
   * @throws BloomException as {@link #toParameters()}
   */
  public FilterParameters toParameters(FilterParameters live, long usualBound) {
    var scheme = hashScheme == null && elementCodec == null ? live.hashScheme() : scheme(live);
    if (live.window().isPresent() || live.counting() || content.isGiven()) {
      return content.next(this, live, scheme, isSame(scheme, live.hashScheme()));
    }
    var policy = whenFull == null ? live.whenFull() : whenFull;
    var isSizeKept = !isBySize() && expectedInsertions == null && falsePositiveProbability == null;
    var isGrowthKept = policy != WhenFull.GROW && live.growth().isEmpty();
    if (isSizeKept && isGrowthKept && isSame(scheme, live.hashScheme())) {
      requireGrowth(policy);
      // What is stored is the truth: another version may have sized it in another way.
      return new FilterParameters(
          scheme, live.expectedInsertions(), live.falsePositiveProbability(), live.shape(), policy);
    }
    return choose(
        scheme,
        expectedInsertions == null ? live.expectedInsertions() : expectedInsertions,
        falsePositiveProbability == null
            ? live.falsePositiveProbability()
            : falsePositiveProbability,
        policy,
        live.growth().orElseGet(() -> new Growth(Growth.DEFAULT_FACTOR, usualBound)));
  }

  /** Likewise, where it is not asked to grow. */
  public FilterParameters toParameters(FilterParameters live) {
    return toParameters(live, Growth.MAX_SIZE_BYTES);
  }

  /** Whether schemes differ in no more than their key, which does not matter for the size. */
  private static boolean isSame(HashScheme one, HashScheme other) {
    return one.id().equals(other.id()) && one.elementCodec().equals(other.elementCodec());
  }

  /** Whether there is enough to tell a size. */
  public boolean isSized() {
    return isBySize() || expectedInsertions != null;
  }

  /**
   * The scheme that is named, the native one if none is.
   *
   * @throws BloomException INVALID_REQUEST if there is none of this name and codec
   */
  public HashScheme scheme() {
    return scheme(hashScheme == null ? HashSchemes.nativeScheme().id() : hashScheme);
  }

  private HashScheme scheme(FilterParameters live) {
    return scheme(hashScheme == null ? live.hashScheme().id() : hashScheme);
  }

  private HashScheme scheme(String id) {
    var otherwise =
        HashSchemes.named(id)
            .orElseThrow(
                () ->
                    RequestErrors.invalid(
                        "There is no such hashScheme. Send one of: %s."
                            .formatted(String.join(", ", HashSchemes.ids()))));
    if (elementCodec == null) {
      return otherwise;
    }
    var codecs = HashSchemes.elementCodecs(id);
    return HashSchemes.named(id, Optional.of(elementCodec))
        .orElseThrow(
            () ->
                RequestErrors.invalid(
                    codecs.isEmpty()
                        ? "The hashScheme %s has no elementCodec. Leave it out.".formatted(id)
                        : "The hashScheme %s has no such elementCodec. Send one of: %s."
                            .formatted(id, String.join(", ", codecs))));
  }

  private FilterParameters choose(
      HashScheme scheme, Long insertions, double probability, WhenFull policy, Growth usual) {
    requireGrowth(policy);
    if (policy == WhenFull.GROW) {
      // First: it refuses a size by bits, with which there may be no number of insertions.
      var growth = growth(usual);
      return FilterParameters.growing(scheme, insertions, probability, growth);
    }
    if (!isBySize()) {
      return FilterParameters.forElements(scheme, insertions, probability, policy);
    }
    if (expectedInsertions != null || falsePositiveProbability != null) {
      throw RequestErrors.invalid(
          "A filter is sized either by expectedInsertions and falsePositiveProbability or by"
              + " bitSize and numHashFunctions. Send only one of the pairs; GET /v1/sizing computes"
              + " one from the other.");
    }
    require(bitSize, "bitSize", "numHashFunctions");
    return FilterParameters.forShape(scheme, bitSize, hashFunctions(scheme), policy);
  }

  private Growth growth(Growth usual) {
    if (isBySize()) {
      throw RequestErrors.invalid(
          "whenFull grow goes with expectedInsertions and falsePositiveProbability, from which all layers are sized, and not with bitSize and numHashFunctions. Send those.");
    }
    return new Growth(
        growthFactor == null ? usual.factor() : growthFactor,
        maxSizeBytes == null ? usual.maxSizeBytes() : maxSizeBytes);
  }

  private void requireGrowth(WhenFull policy) {
    if (policy != WhenFull.GROW && (growthFactor != null || maxSizeBytes != null)) {
      throw RequestErrors.invalid(
          "%s goes with whenFull grow only. Send \"whenFull\": \"grow\", or leave it out."
              .formatted(growthFactor == null ? "maxSizeBytes" : "growthFactor"));
    }
  }

  private int hashFunctions(HashScheme scheme) {
    var usual = scheme.defaultNumHashFunctions();
    if (numHashFunctions == null && usual.isPresent()) {
      return usual.getAsInt();
    }
    require(numHashFunctions, "numHashFunctions", "bitSize");
    return numHashFunctions;
  }

  private double probability() {
    return falsePositiveProbability == null
        ? FilterParameters.DEFAULT_FALSE_POSITIVE_PROBABILITY
        : falsePositiveProbability;
  }

  private boolean isBySize() {
    return bitSize != null || numHashFunctions != null;
  }

  private static void require(Object value, String field, String other) {
    if (value == null) {
      throw RequestErrors.invalid("%s is given without %s. Send both.".formatted(other, field));
    }
  }
}
