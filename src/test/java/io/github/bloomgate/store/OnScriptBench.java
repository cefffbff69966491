package io.github.bloomgate.store;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Tests of scripts that share one bench. */
abstract class OnScriptBench {

  static ScriptBench bench;

  @BeforeAll
  static void start() {
    bench = new ScriptBench();
  }

  @AfterAll
  static void stop() {
    bench.close();
  }
}
