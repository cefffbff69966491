package io.github.bloomgate.bench;

import java.util.List;

/** The time to the first response, and the memory of the service that ran all other benchmarks. */
final class StartAndMemory implements Work {

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
                  try (var service = Service.start(folder.resolve("service"), List.of())) {
                    return Sample.of(service.app().startMillis());
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
    report.compare(comparison, Names.EMPTY);
  }
}
