/**
 * Faults of Redis and the service as clients see them, with real processes: the packaged service
 * over HTTP, and a Redis that is stopped, killed or full.
 */
package io.github.bloomgate.faults;
