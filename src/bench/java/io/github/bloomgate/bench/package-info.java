/**
 * The benchmarks: start the packaged service and its peers, give them the same work in alternating
 * rounds, and compare the results with the project's targets.
 */
package io.github.bloomgate.bench;
