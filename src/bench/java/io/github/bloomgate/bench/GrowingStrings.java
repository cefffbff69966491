package io.github.bloomgate.bench;

/**
 * Adds that make strings in Redis grow: to all segments of a copy, which were written whole, and to
 * a new filter, in a long stream. What counts is the longest call.
 */
final class GrowingStrings implements Work {

  private static final String COPY = Stage.FRESH + ".copy";
  private static final long COPIED_INSERTIONS = 100_000_000;
  private static final int BATCH = 10_000;
  private static final int BATCHES = 8;

  private static final long NEW_INSERTIONS = 1_000_000_000;
  private static final int STREAM = 3_000_000;

  @Override
  public String name() {
    return "growth";
  }

  @Override
  public void measure(Stage stage, Report report) {
    var filters = stage.service().filters();
    filters.recreate(Stage.FRESH, COPIED_INSERTIONS);
    var known = stage.options().knownElements();
    filters.load(Stage.FRESH, Elements.lines(known));
    filters.delete(COPY);
    filters.copy(Stage.FRESH, COPY);
    for (var i = 0; i < BATCHES; i++) {
      filters.load(COPY, Elements.lines(known + i * BATCH, BATCH));
    }
    filters.delete(COPY);
    filters.recreate(Stage.FRESH, NEW_INSERTIONS);
    filters.load(Stage.FRESH, Elements.lines(STREAM));
    filters.delete(Stage.FRESH);
  }
}
