/**
 * Random and hostile input. Every run prints its seed; {@code CONTRIBUTING.md} says how to repeat
 * and extend a run.
 */
package io.github.bloomgate.fuzz;
