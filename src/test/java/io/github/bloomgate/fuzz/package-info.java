/**
 * Random and hostile input. Every run prints its seed; {@code CONTRIBUTING.md} tells how one is
 * repeated and how it is made longer.
 */
package io.github.bloomgate.fuzz;
