package io.github.bloomgate.faults;

import io.github.bloomgate.support.Load;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;

/** Limits and load that the tests of faults share. */
final class FaultRun {

  /** Longer than anything takes on a machine that stalls now and then. */
  static final Duration MAX_WAIT = Duration.ofMinutes(5);

  private FaultRun() {}

  /**
   * Continuously adds to three filters and tests them: one with one segment, one with several, and
   * one that grows layer by layer.
   */
  static Load steadyLoad(Supplier<PackagedService> service) {
    var load = new Load((path, elements) -> service.get().answer(path, elements), "");
    Map.of(
            "steady-one", Shapes.ONE_LARGE,
            "steady-several", Shapes.SEVERAL,
            "steady-growing", Shapes.GROWING)
        .forEach(
            (name, shape) -> {
              service.get().done("PUT", "/v1/filters/" + name, shape);
              for (var client = 0; client < 2; client++) {
                load.use(name);
              }
            });
    return load;
  }
}
