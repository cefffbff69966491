package io.github.bloomgate.bench;

import java.time.Duration;

/**
 * Sends requests over HTTP from one thread, one at a time on each connection. Fails on a status
 * other than 2xx.
 */
interface LoadGenerator {

  String name();

  /** Measures requests per second on a port of this machine. */
  Sample run(int port, Requests requests, int connections, Duration time);
}
