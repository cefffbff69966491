package io.github.bloomgate.http.request;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.http.contract.Query;
import io.github.bloomgate.model.Counting;
import io.github.bloomgate.model.FilterKind;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.Plain;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import jakarta.validation.Valid;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.Locale;
import java.util.Optional;

/**
 * The parameters of a filter in a request; null where one is not given. Each kind of request adds
 * its own. Not a record, because a record cannot be extended, and Jackson ignores unknown fields
 * next to an unwrapped record.
 */
public class FilterChoice {

  @Min(1)
  @Max(FilterParameters.MAX_EXPECTED_INSERTIONS)
  public Long expectedInsertions;

  @DecimalMin("1e-12")
  @DecimalMax(value = "1", inclusive = false)
  public Double falsePositiveProbability;

  @Min(1)
  @Max(FilterParameters.MAX_BIT_SIZE)
  public Long bitSize;

  @Min(1)
  @Max(FilterParameters.MAX_HASH_FUNCTIONS)
  public Integer numHashFunctions;

  public String hashScheme;
  public String elementCodec;
  public WhenFull whenFull;

  @Min(1)
  @Max(Growth.MAX_FACTOR)
  public Integer growthFactor;

  @Min(1)
  @Max(Growth.MAX_SIZE_BYTES)
  public Long maxSizeBytes;

  @Valid public WindowRequest window;

  @Min(Window.MIN_SLICES)
  @Max(Window.MAX_SLICES)
  public Integer slices;

  public Boolean refresh;
  public boolean counting;

  public static FilterChoice of(Query query) {
    var choice = new FilterChoice();
    choice.expectedInsertions = query.whole("expectedInsertions").orElse(null);
    choice.falsePositiveProbability = query.number("falsePositiveProbability").orElse(null);
    choice.bitSize = query.whole("bitSize").orElse(null);
    choice.numHashFunctions = query.whole("numHashFunctions").map(Long::intValue).orElse(null);
    choice.hashScheme = query.text("hashScheme").orElse(null);
    choice.elementCodec = query.text("elementCodec").orElse(null);
    choice.whenFull =
        query
            .text("whenFull")
            .map(policy -> WhenFull.valueOf(policy.toUpperCase(Locale.ROOT)))
            .orElse(null);
    choice.growthFactor = query.whole("growthFactor").map(Long::intValue).orElse(null);
    choice.window = WindowRequest.of(query);
    choice.slices = query.whole("slices").map(Long::intValue).orElse(null);
    choice.counting = query.flag("counting");
    return choice;
  }

  /**
   * The parameters of a new filter.
   *
   * @param usualBound the default of maxSizeBytes
   * @throws BloomException INVALID_REQUEST if parameters are missing or contradict each other, or
   *     the scheme cannot make this filter; LIMIT_EXCEEDED if it would be too large
   */
  public FilterParameters toParameters(long usualBound) {
    return toParameters(scheme(), new Growth(Growth.DEFAULT_FACTOR, usualBound));
  }

  private FilterParameters toParameters(HashScheme scheme, Growth usual) {
    requireFitting();
    if (window != null) {
      return windowed(scheme);
    }
    if (!isSized()) {
      throw missingSize(
          counting
              ? "the number of elements it must hold"
              : "the number of elements it must hold, or bitSize and numHashFunctions");
    }
    var policy = whenFull == null ? WhenFull.ACCEPT : whenFull;
    if (!isBySize()) {
      FilterKind kind =
          counting
              ? new Counting(policy)
              : policy == WhenFull.GROW ? growth(usual) : new Plain(policy);
      return kind.parameters(scheme, expectedInsertions, probability());
    }
    if (expectedInsertions != null || falsePositiveProbability != null) {
      throw RequestErrors.invalid(
          "A filter is sized either by expectedInsertions and falsePositiveProbability or by"
              + " bitSize and numHashFunctions. Send only one of the pairs; GET /v1/sizing computes"
              + " one from the other.");
    }
    return FilterParameters.forShape(
        scheme,
        both(bitSize, "bitSize", "numHashFunctions"),
        numHashFunctions == null && scheme.defaultNumHashFunctions().isPresent()
            ? scheme.defaultNumHashFunctions().getAsInt()
            : both(numHashFunctions, "numHashFunctions", "bitSize"),
        policy);
  }

  private FilterParameters windowed(HashScheme scheme) {
    if ((window.seconds() == null) == (window.insertions() == null)) {
      throw RequestErrors.invalid(
          "window needs either seconds or insertions. Send one of them, such as {\"seconds\": 86400}.");
    }
    var some = slices == null ? Window.DEFAULT_SLICES : slices;
    var refreshes = refresh == null || refresh;
    if (window.seconds() != null) {
      if (expectedInsertions == null) {
        throw missingSize("the number of elements within a window");
      }
      var byTime = Window.ofSeconds(window.seconds(), some, refreshes);
      return byTime.parameters(scheme, expectedInsertions, probability());
    }
    if (expectedInsertions != null && !expectedInsertions.equals(window.insertions())) {
      throw RequestErrors.invalid(
          "expectedInsertions is %d, but a window of %d insertions has exactly that capacity. Leave expectedInsertions out."
              .formatted(expectedInsertions, window.insertions()));
    }
    if (window.insertions() < some) {
      throw RequestErrors.invalid(
          "A window of %d insertions cannot have %d slices. Send insertions of at least %d, or fewer slices; the minimum is %d."
              .formatted(window.insertions(), some, some, Window.MIN_SLICES));
    }
    var byInsertions = Window.ofInsertions(window.insertions(), some, refreshes);
    return byInsertions.parameters(scheme, byInsertions.insertions(), probability());
  }

  /**
   * The parameters of the next generation of a filter: parameters that are not given stay. A keyed
   * scheme that is given by name gets a new key.
   *
   * @param usualBound the default of maxSizeBytes, if the live filter does not grow
   * @throws BloomException as {@link #toParameters(long)}
   */
  public FilterParameters toParameters(FilterParameters live, long usualBound) {
    var scheme =
        hashScheme == null && elementCodec == null
            ? live.hashScheme()
            : scheme(hashScheme == null ? live.hashScheme().id() : hashScheme);
    var all = or(live);
    var keepsSize =
        !isSized()
            && falsePositiveProbability == null
            && window == null
            && slices == null
            && refresh == null
            && scheme.id().equals(live.hashScheme().id())
            && scheme.elementCodec().equals(live.hashScheme().elementCodec());
    var grows = live.kind() instanceof Growth || all.whenFull == WhenFull.GROW;
    if (keepsSize && !grows) {
      all.requireFitting();
      // The stored shape counts, because another version may have sized it differently.
      return live.with(scheme, all.kindLike(live.kind()));
    }
    var usual =
        live.kind() instanceof Growth growth
            ? growth
            : new Growth(Growth.DEFAULT_FACTOR, usualBound);
    return all.toParameters(scheme, usual);
  }

  /** The kind of a filter that does not grow, with another policy. */
  private FilterKind kindLike(FilterKind live) {
    if (live instanceof Window) {
      return live;
    }
    return live instanceof Counting ? new Counting(whenFull) : new Plain(whenFull);
  }

  /** The same, without a scheme, where the parameters of a filter are those that are not given. */
  private FilterChoice or(FilterParameters live) {
    var kept = live.kind() instanceof Window its ? Optional.of(its) : Optional.<Window>empty();
    var some = window == null ? kept.map(WindowRequest::of).orElse(null) : window;
    var isGivenByOthers = isBySize() || (some != null && some.insertions() != null);
    var all = new FilterChoice();
    all.expectedInsertions =
        expectedInsertions == null && !isGivenByOthers
            ? (Long) live.expectedInsertions()
            : expectedInsertions;
    all.falsePositiveProbability =
        falsePositiveProbability == null && !isBySize()
            ? (Double) live.falsePositiveProbability()
            : falsePositiveProbability;
    all.bitSize = bitSize;
    all.numHashFunctions = numHashFunctions;
    all.whenFull = whenFull == null ? (some == null ? live.whenFull() : WhenFull.ACCEPT) : whenFull;
    all.growthFactor = growthFactor;
    all.maxSizeBytes = maxSizeBytes;
    all.window = some;
    all.slices = slices == null ? kept.map(Window::slices).orElse(null) : slices;
    all.refresh = refresh == null ? kept.map(Window::refresh).orElse(null) : refresh;
    all.counting = live.kind() instanceof Counting;
    return all;
  }

  /**
   * The parameters of a library's bitmap that exists already; empty if none are given.
   *
   * @throws BloomException as {@link #toParametersOfBitmap()}
   */
  public Optional<FilterParameters> toAdoptedParameters() {
    if (window != null) {
      throw RequestErrors.invalid(
          "window cannot be used with redisKey: the library has no windows. Leave one of them out.");
    }
    if (counting) {
      throw RequestErrors.invalid(
          "counting cannot be used with redisKey: the library has no counters. Leave one of them out.");
    }
    requireFitting();
    return isSized() || whenFull != null || falsePositiveProbability != null
        ? Optional.of(toParametersOfBitmap())
        : Optional.empty();
  }

  /**
   * The parameters of a bitmap that exists already and does not contain them.
   *
   * @throws BloomException as {@link #toParameters(long)}; INVALID_REQUEST also if versions of the
   *     library differ in the shape
   */
  public FilterParameters toParametersOfBitmap() {
    var parameters = toParameters(Growth.MAX_SIZE_BYTES);
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
        "Versions of the library differ for these parameters: with bitSize %d, numHashFunctions is %d in new versions and %d in old ones. Send bitSize and the numHashFunctions of the version that created the bitmap."
            .formatted(now.bitSize(), now.numHashFunctions(), former.numHashFunctions()));
  }

  /**
   * The scheme, the native one if none is named.
   *
   * @throws BloomException INVALID_REQUEST if there is none of this name and codec
   */
  public HashScheme scheme() {
    return scheme(hashScheme == null ? HashSchemes.nativeScheme().id() : hashScheme);
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

  private void requireFitting() {
    if (window == null && (slices != null || refresh != null)) {
      throw RequestErrors.invalid(
          "%s can only be used with window. Send window, such as {\"seconds\": 86400}, or leave it out."
              .formatted(slices == null ? "refresh" : "slices"));
    }
    if (window != null && counting) {
      throw RequestErrors.invalid(
          "A window cannot be used with counting: elements expire without being removed. Leave one of them out.");
    }
    if (window != null) {
      if (whenFull != null && whenFull != WhenFull.ACCEPT) {
        throw RequestErrors.invalid(
            "whenFull can only be accept with a window: expired elements make room. Leave it out.");
      }
      requireFixedAndByElements("a window", "A filter with a window does not grow");
    } else if (counting) {
      if (whenFull == WhenFull.GROW) {
        throw RequestErrors.invalid(
            "whenFull cannot be grow with counting: its elements are in one layer. Send accept or reject, or leave it out.");
      }
      requireFixedAndByElements("counting", "A filter that counts does not grow");
    } else if (whenFull != WhenFull.GROW && (growthFactor != null || maxSizeBytes != null)) {
      throw RequestErrors.invalid(
          "%s can only be used with whenFull grow. Send \"whenFull\": \"grow\", or leave it out."
              .formatted(growthFactor == null ? "maxSizeBytes" : "growthFactor"));
    } else if (whenFull == WhenFull.GROW && isBySize()) {
      throw RequestErrors.invalid(
          "whenFull grow needs expectedInsertions and falsePositiveProbability, from which all layers are sized, instead of bitSize and numHashFunctions. Send those.");
    }
  }

  private void requireFixedAndByElements(String what, String noGrowth) {
    refuse(what, "growthFactor", growthFactor, noGrowth);
    refuse(what, "maxSizeBytes", maxSizeBytes, noGrowth);
    var sized = "It is sized by expectedInsertions and falsePositiveProbability";
    refuse(what, "bitSize", bitSize, sized);
    refuse(what, "numHashFunctions", numHashFunctions, sized);
  }

  public static void refuse(String what, String name, Object value, String why) {
    if (value != null) {
      throw RequestErrors.invalid(
          "%s cannot be used with %s. %s. Leave %s out.".formatted(name, what, why, name));
    }
  }

  private static BloomException missingSize(String meaning) {
    return RequestErrors.invalid(
        "The size of the filter is missing. Send expectedInsertions, %s.".formatted(meaning));
  }

  private Growth growth(Growth usual) {
    return new Growth(
        growthFactor == null ? usual.factor() : growthFactor,
        maxSizeBytes == null ? usual.maxSizeBytes() : maxSizeBytes);
  }

  public double probability() {
    return falsePositiveProbability == null
        ? FilterParameters.DEFAULT_FALSE_POSITIVE_PROBABILITY
        : falsePositiveProbability;
  }

  private boolean isSized() {
    return isBySize() || expectedInsertions != null;
  }

  private boolean isBySize() {
    return bitSize != null || numHashFunctions != null;
  }

  private static <T> T both(T value, String name, String other) {
    if (value == null) {
      throw RequestErrors.invalid("%s is given without %s. Send both.".formatted(other, name));
    }
    return value;
  }

  /** The window of a filter. */
  public record WindowRequest(
      @Min(1) @Max(Window.MAX_SECONDS) Long seconds,
      @Min(1) @Max(FilterParameters.MAX_EXPECTED_INSERTIONS) Long insertions) {

    /** The window in a query; null if it has none. */
    static WindowRequest of(Query query) {
      var seconds = query.whole("windowSeconds").orElse(null);
      var insertions = query.whole("windowInsertions").orElse(null);
      return seconds == null && insertions == null ? null : new WindowRequest(seconds, insertions);
    }

    private static WindowRequest of(Window live) {
      return live.isByTime()
          ? new WindowRequest(live.seconds(), null)
          : new WindowRequest(null, live.insertions());
    }
  }
}
