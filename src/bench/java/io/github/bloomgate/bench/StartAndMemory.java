package io.github.bloomgate.bench;

import java.util.List;

/**
 * The time to the first response with the embedded Redis, and the memory of the service that ran
 * all other benchmarks.
 */
final class StartAndMemory implements Work {

  /** A request that needs Redis. */
  private static final String QUESTION = "/v1/filters?limit=1";

  @Override
  public String name() {
    return "start";
  }

  @Override
  public void measure(Stage stage, Report report) {
    report.figure("RSS after load", stage.service().app().process().residentMebibytes(), "MiB");
    var folder = stage.folder().resolve("start");
    var contenders =
        List.of(
            new Contender(
                Names.SERVICE,
                () -> {
                  try (var app =
                      QuarkusApp.start(
                          folder.resolve("service"), Program.service(), List.of(), QUESTION)) {
                    return Sample.of(app.startMillis());
                  }
                }),
            new Contender(
                Names.EMPTY,
                () -> {
                  try (var empty = Stage.startCeiling(folder)) {
                    return Sample.of(empty.startMillis());
                  }
                }));
    var comparison =
        Comparison.warmedUp("start to first answer", "ms", stage.options().repeats(), contenders);
    var embedded = Setup.usual().with(Road.UNIX).text("embedded");
    report.compare(comparison.work(), embedded, comparison, Names.SERVICE, Names.EMPTY);
  }
}
