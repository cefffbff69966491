/**
 * What happens to clients while Redis or the service fails, tried on real processes: the packaged
 * service over HTTP, and a Redis of its own that is stopped, killed, filled and so on.
 */
package io.github.bloomgate.faults;
