package io.github.bloomgate.bench;

import java.util.List;
import java.util.function.Function;

/**
 * A filter that has grown to four layers, of which the last is half full, beside one that was made
 * for as many elements. Every other element that is tested is known.
 */
final class Grown implements Work {

  private static final String GROWN = "bench.grown";
  private static final String FIXED = "bench.fixed";
  private static final int LAYERS = 4;

  /** With the growth factor 2: elements of all layers and of all but half of the last one. */
  private static final long ALL = 15;

  private static final long KNOWN = 11;
  private static final int BATCHES = 64;

  @Override
  public String name() {
    return "grown";
  }

  @Override
  public void measure(Stage stage, Report report) {
    var options = stage.options();
    var known = options.knownElements();
    createFixed(stage);
    createGrown(stage);
    var elements = Elements.halfKnown(SingleTest.POOL, known);
    var singles =
        Comparison.warmedUp(
            "single test, 4 layers",
            "requests/s",
            options.repeats(),
            contenders(stage, filter -> SingleTest.requests(filter, elements)));
    report.compare(singles, Names.FIXED, Target.atLeast(0.80));

    var batches = Elements.batches(Elements.halfKnown(BATCHES * Elements.BATCH, known));
    var tests =
        Comparison.warmedUp(
            "batch test, 4 layers",
            "elements/s",
            options.repeats(),
            BatchTest.inElements(
                contenders(
                    stage, filter -> Requests.json(FilterApi.path(filter, "/test"), batches))));
    report.compare(tests, Names.FIXED, Target.atLeast(0.50));

    var adds =
        Comparison.warmedUp(
            "single add, 4 layers",
            "requests/s",
            options.repeats(),
            List.of(
                adding(stage, Names.SERVICE, GROWN, () -> createGrown(stage)),
                adding(stage, Names.FIXED, FIXED, () -> createFixed(stage))));
    report.compare(adds, Names.FIXED, Target.atLeast(0.80));
    stage.service().filters().delete(GROWN);
    stage.service().filters().delete(FIXED);
  }

  private static List<Contender> contenders(Stage stage, Function<String, Requests> requests) {
    var port = stage.service().port();
    return List.of(
        stage.http(Names.SERVICE, port, requests.apply(GROWN)),
        stage.http(Names.FIXED, port, requests.apply(FIXED)));
  }

  private static Contender adding(Stage stage, String name, String filter, Runnable create) {
    var adds = Requests.json(FilterApi.path(filter, "/add"), List.of(List.of(SingleAdd.ELEMENT)));
    return new Contender(
        name,
        () -> {
          create.run();
          var service = stage.service();
          return stage.load().run(service.port(), adds, Stage.CLIENTS, stage.options().time());
        });
  }

  private static long firstLayer(Options options) {
    return options.knownElements() / KNOWN + 1;
  }

  private static void createFixed(Stage stage) {
    stage.service().filters().createAnew(FIXED, ALL * firstLayer(stage.options()));
    fill(stage, FIXED);
  }

  private static void createGrown(Stage stage) {
    var filters = stage.service().filters();
    filters.createGrowing(GROWN, firstLayer(stage.options()));
    fill(stage, GROWN);
    var layers = filters.layers(GROWN);
    if (layers != LAYERS) {
      throw new IllegalStateException("The filter has %d layers".formatted(layers));
    }
  }

  private static void fill(Stage stage, String filter) {
    var known = stage.options().knownElements();
    stage.service().filters().load(filter, Elements.lines(known));
    Known.requireHalf(
        known, stage.service().filters().test(filter, Elements.halfKnownLines(known)));
  }
}
