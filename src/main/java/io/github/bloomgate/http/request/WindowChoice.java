package io.github.bloomgate.http.request;

import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;

/** A window as a request gives it: any may be null. */
record WindowChoice(WindowRequest window, Integer slices, Boolean refresh) {

  /** Why nothing about growth goes with a window. */
  static final String NO_GROWTH = "A filter with a window does not grow";

  /** Of a request that says nothing of it. */
  static final WindowChoice NONE = new WindowChoice(null, null, null);

  /**
   * Whether a window is asked for.
   *
   * @throws BloomException INVALID_REQUEST if only what goes with one is given
   */
  boolean isGiven() {
    if (window == null && (slices != null || refresh != null)) {
      throw RequestErrors.invalid(
          "%s goes with window only. Send window, such as {\"seconds\": 86400}, or leave it out."
              .formatted(slices == null ? "refresh" : "slices"));
    }
    return window != null;
  }

  /**
   * The parameters of a new filter.
   *
   * @throws BloomException INVALID_REQUEST if something does not go with the window, or with a
   *     window; LIMIT_EXCEEDED
   */
  FilterParameters toParameters(ParameterChoice choice, HashScheme scheme, double probability) {
    return toParameters(choice, scheme, choice.expectedInsertions(), probability);
  }

  private FilterParameters toParameters(
      ParameterChoice choice, HashScheme scheme, Long insertions, double probability) {
    requireFitting(choice);
    if ((window.seconds() == null) == (window.insertions() == null)) {
      throw RequestErrors.invalid(
          "window needs either seconds or insertions. Send one of both, such as {\"seconds\": 86400}.");
    }
    var asked = window(insertions, choice.expectedInsertions());
    return FilterParameters.windowed(
        scheme, asked.isByTime() ? insertions : asked.insertions(), probability, asked);
  }

  private Window window(Long expected, Long given) {
    var some = slices == null ? Window.DEFAULT_SLICES : slices;
    var refreshes = refresh == null || refresh;
    if (window.seconds() != null) {
      if (expected == null) {
        throw RequestErrors.invalid(
            "The size of the filter is missing. Send expectedInsertions, the number of elements that come within a window.");
      }
      return Window.ofSeconds(window.seconds(), some, refreshes);
    }
    if (given != null && !given.equals(window.insertions())) {
      throw RequestErrors.invalid(
          "expectedInsertions is %d, but a window of %d insertions holds as many elements. Leave expectedInsertions out."
              .formatted(given, window.insertions()));
    }
    if (window.insertions() < some) {
      throw RequestErrors.invalid(
          "A window of %d insertions cannot have %d slices. Send insertions of at least %d, or fewer slices; the fewest are %d."
              .formatted(window.insertions(), some, some, Window.MIN_SLICES));
    }
    return Window.ofInsertions(window.insertions(), some, refreshes);
  }

  /**
   * The parameters of the next generation of a filter: of its window stays what is not given.
   *
   * @param scheme that of the next generation
   * @param isSame whether it differs in no more than its key
   * @throws BloomException INVALID_REQUEST if something does not go with a window; LIMIT_EXCEEDED
   */
  FilterParameters next(
      ParameterChoice choice, FilterParameters live, HashScheme scheme, boolean isSame) {
    if (equals(NONE)
        && isSame
        && choice.expectedInsertions() == null
        && choice.falsePositiveProbability() == null) {
      requireFitting(choice);
      return live.withHashScheme(scheme);
    }
    return live.window()
        .map(this::or)
        .orElse(this)
        .toParameters(
            choice,
            scheme,
            choice.expectedInsertions() == null
                ? Long.valueOf(live.expectedInsertions())
                : choice.expectedInsertions(),
            choice.falsePositiveProbability() == null
                ? live.falsePositiveProbability()
                : choice.falsePositiveProbability());
  }

  private WindowChoice or(Window live) {
    return new WindowChoice(
        window == null
            ? new WindowRequest(
                live.isByTime() ? live.seconds() : null, live.isByTime() ? null : live.insertions())
            : window,
        slices == null ? Integer.valueOf(live.slices()) : slices,
        refresh == null ? Boolean.valueOf(live.refresh()) : refresh);
  }

  private static void requireFitting(ParameterChoice choice) {
    if (choice.whenFull() != null && choice.whenFull() != WhenFull.ACCEPT) {
      throw RequestErrors.invalid(
          "whenFull can only be accept with a window: what is too old makes room. Leave it out.");
    }
    ContentChoice.requireFixedAndByElements(choice, "a window", NO_GROWTH);
  }

  /**
   * Refuses a window for a bitmap of another library.
   *
   * @throws BloomException INVALID_REQUEST
   */
  void refuseAdopted() {
    if (isGiven()) {
      throw RequestErrors.invalid(
          "window does not go with redisKey: the library forgets nothing. Leave one of both out.");
    }
  }
}
