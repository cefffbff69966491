/**
 * Random and hostile input. Every run prints its seed, and {@code docs/tests.md} says how to repeat
 * it.
 */
package io.github.bloomgate.fuzz;
