package io.github.bloomgate.bench;

/** A kind of work that is compared. */
interface Work {

  /** Its name among the options. */
  String name();

  /** Does it, and reports the figures. */
  void measure(Stage stage, Report report);
}
