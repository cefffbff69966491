package io.github.bloomgate.bench;

import java.util.List;

/** Adds one new element. */
final class SingleAdd implements Work {

  /** New in every request. */
  static final String ELEMENT = "new-" + Elements.SERIAL;

  @Override
  public String name() {
    return "single-add";
  }

  @Override
  public void measure(Stage stage, Report report) {
    var options = stage.options();
    var service = stage.service();
    var adds = Requests.json(FilterApi.path(Stage.FRESH, "/add"), List.of(List.of(ELEMENT)));
    var contenders =
        List.of(
            new Contender(
                Names.SERVICE,
                () -> {
                  service.filters().recreate(Stage.FRESH, Stage.INSERTIONS);
                  return stage.load().run(service.port(), adds, Stage.CLIENTS, options.time());
                }),
            stage.http(Names.CONSTANT, stage.ceiling().port(), Requests.get(List.of("/constant"))),
            new Contender(
                Names.REDISSON,
                () -> {
                  var filter = stage.redisson().recreate(Stage.FRESH, Stage.INSERTIONS);
                  return InProcessLoad.run(
                      Stage.CLIENTS, options.time(), serial -> filter.add("new-" + serial));
                }));
    var comparison = Comparison.warmedUp("single add", "requests/s", options.repeats(), contenders);
    report.compare(comparison, Names.CONSTANT);
    report.compare(comparison, Names.REDISSON);
  }
}
