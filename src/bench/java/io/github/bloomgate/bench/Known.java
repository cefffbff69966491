package io.github.bloomgate.bench;

/** The filter that most tests ask. */
final class Known {

  private Known() {}

  static void createIn(Service service, Options options) {
    service.filters().createAnew(Stage.KNOWN, Stage.INSERTIONS);
    service.filters().load(Stage.KNOWN, Elements.lines(options.knownElements()));
  }
}
