package io.github.bloomgate.bench;

/** The filter that most tests use. */
final class Known {

  private Known() {}

  /**
   * Fails unless half of the elements were found, and few of the others. Otherwise, the figures
   * would mean nothing.
   */
  static void requireHalf(int tested, long found) {
    if (found < tested / 2 || found > tested * 0.52) {
      throw new IllegalStateException(
          "Of %d elements, half should be found, but %d were".formatted(tested, found));
    }
  }

  static void createIn(Service service, Options options) {
    service.filters().recreate(Stage.KNOWN, Stage.INSERTIONS);
    service.filters().load(Stage.KNOWN, Elements.lines(options.knownElements()));
    var count = options.knownElements();
    requireHalf(count, service.filters().test(Stage.KNOWN, Elements.halfKnownLines(count)));
  }
}
