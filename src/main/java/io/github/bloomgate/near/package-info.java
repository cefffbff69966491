/**
 * Copies of bitmaps near the service, so that a test need not ask Redis for its bits. A copy is
 * exact because the number of bits set is the version of a bitmap: within a generation bits are
 * only ever set. Start with {@link io.github.bloomgate.near.NearBitmaps}.
 */
package io.github.bloomgate.near;
