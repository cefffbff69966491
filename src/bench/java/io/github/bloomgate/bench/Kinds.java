package io.github.bloomgate.bench;

import java.util.List;
import java.util.function.Function;

/**
 * Growing, window and counting filters, each compared with a plain filter of the same capacity and
 * content. Every other tested element is known.
 */
final class Kinds implements Work {

  private static final String SPECIAL = "bench.special";
  private static final String FIXED = "bench.fixed";
  private static final int BATCHES = 64;

  /**
   * With growth factor 2, the elements of four layers, or of all layers except half of the last
   * one.
   */
  private static final long ALL = 15;

  private static final long KNOWN = 11;

  /**
   * A kind of filter.
   *
   * @param expectedInsertions capacity of the plain filter
   * @param ownExpectedInsertions capacity of the filter itself
   * @param fields other fields of its creation
   * @param layers its number of layers when it is full; 0 if it has none
   */
  private record Kind(
      String name,
      long expectedInsertions,
      long ownExpectedInsertions,
      String fields,
      int layers) {}

  @Override
  public String name() {
    return "kinds";
  }

  @Override
  public void measure(Stage stage, Report report) {
    long known = stage.options().knownElements();
    var firstLayer = known / KNOWN + 1;
    for (var kind :
        List.of(
            new Kind("4 layers", ALL * firstLayer, firstLayer, "\"whenFull\": \"grow\"", 4),
            new Kind(
                "8 slices",
                known,
                known,
                "\"window\": {\"insertions\": %d}, \"slices\": 8".formatted(known),
                0),
            new Kind("counters", known, known, "\"counting\": true", 0))) {
      measure(stage, report, kind);
    }
    stage.service().filters().delete(SPECIAL);
    stage.service().filters().delete(FIXED);
  }

  private static void measure(Stage stage, Report report, Kind kind) {
    var options = stage.options();
    var known = options.knownElements();
    create(stage, kind, SPECIAL);
    create(stage, kind, FIXED);
    var elements = Elements.halfKnown(SingleTest.POOL, known);
    var singles =
        Comparison.warmedUp(
            "single test, " + kind.name(),
            "requests/s",
            options.repeats(),
            contenders(stage, filter -> SingleTest.requests(filter, elements)));
    report.compare(singles, Names.FIXED);

    var batches = Elements.batches(Elements.halfKnown(BATCHES * Elements.BATCH, known));
    var tests =
        Comparison.warmedUp(
            "batch test, " + kind.name(),
            "elements/s",
            options.repeats(),
            BatchTest.inElements(
                contenders(
                    stage, filter -> Requests.json(FilterApi.path(filter, "/test"), batches))));
    report.compare(tests, Names.FIXED);

    var adds =
        Comparison.warmedUp(
            "single add, " + kind.name(), "requests/s", options.repeats(), adding(stage, kind));
    report.compare(adds, Names.FIXED);

    var newElements =
        Comparison.warmedUp(
            "batch add, " + kind.name(),
            "elements/s",
            options.repeats(),
            BatchTest.inElements(addingNew(stage, kind)));
    report.compare(newElements, Names.FIXED);
    newBatches(stage, kind, SPECIAL).deleteFilters();
    newBatches(stage, kind, FIXED).deleteFilters();
  }

  private static List<Contender> contenders(Stage stage, Function<String, Requests> requests) {
    var port = stage.service().port();
    return List.of(
        stage.http(Names.SERVICE, port, requests.apply(SPECIAL)),
        stage.http(Names.FIXED, port, requests.apply(FIXED)));
  }

  private static List<Contender> adding(Stage stage, Kind kind) {
    return List.of(
        adding(stage, kind, Names.SERVICE, SPECIAL), adding(stage, kind, Names.FIXED, FIXED));
  }

  private static Contender adding(Stage stage, Kind kind, String name, String filter) {
    var adds = Requests.json(FilterApi.path(filter, "/add"), List.of(List.of(SingleAdd.ELEMENT)));
    return new Contender(
        name,
        () -> {
          create(stage, kind, filter);
          var service = stage.service();
          return stage.load().run(service.port(), adds, Stage.CLIENTS, stage.options().time());
        });
  }

  /**
   * Both filters are empty at first. A full filter would journal less, because new elements would
   * seem known.
   */
  private static List<Contender> addingNew(Stage stage, Kind kind) {
    return List.of(
        newBatches(stage, kind, SPECIAL)
            .contender(Names.SERVICE, filter -> recreate(stage, kind, SPECIAL, filter)),
        newBatches(stage, kind, FIXED)
            .contender(Names.FIXED, filter -> recreate(stage, kind, FIXED, filter)));
  }

  private static NewBatches newBatches(Stage stage, Kind kind, String which) {
    return new NewBatches(stage, which, kind.expectedInsertions());
  }

  private static void recreate(Stage stage, Kind kind, String which, String filter) {
    var filters = stage.service().filters();
    if (which.equals(FIXED)) {
      filters.recreate(filter, kind.expectedInsertions());
    } else {
      filters.recreate(filter, kind.ownExpectedInsertions(), kind.fields());
    }
  }

  private static void create(Stage stage, Kind kind, String filter) {
    recreate(stage, kind, filter, filter);
    var filters = stage.service().filters();
    var known = stage.options().knownElements();
    filters.load(filter, Elements.lines(known));
    Known.requireHalf(known, filters.test(filter, Elements.halfKnownLines(known)));
    if (filter.equals(SPECIAL) && filters.layers(filter) != kind.layers()) {
      throw new IllegalStateException("The filter has %d layers".formatted(filters.layers(filter)));
    }
  }
}
