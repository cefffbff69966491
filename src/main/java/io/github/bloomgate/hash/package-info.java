/**
 * Pure functions from bytes to bit positions and from n and p to shapes. Uses only the JDK, so it
 * can be read, tested and ported alone. Start with {@link io.github.bloomgate.hash.HashScheme}.
 */
package io.github.bloomgate.hash;
