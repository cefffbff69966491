package io.github.bloomgate.bench;

/** A benchmark. */
interface Work {

  /** Its name in the options. */
  String name();

  /** Runs the benchmark, and reports the figures. */
  void measure(Stage stage, Report report);
}
