package io.github.bloomgate.bench;

import java.time.Duration;

/**
 * Sends requests over HTTP, one at a time on each connection, from one thread. Fails when an answer
 * has a status other than 2xx.
 */
interface LoadGenerator {

  String name();

  /** Measures requests per second against a port of this machine. */
  Sample run(int port, Requests requests, int connections, Duration time);
}
