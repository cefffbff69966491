/**
 * The benchmark: starts the packaged service and its peers, has them do the same work in
 * alternating rounds, and compares what they reach with the targets of the project.
 */
package io.github.bloomgate.bench;
