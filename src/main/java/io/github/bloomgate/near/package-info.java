/**
 * Copies of bitmaps near the service, so that a test need not ask Redis for its bits. A copy is
 * exact because every change of a bitmap leaves a random mark in its version: equal versions are
 * equal bits. Start with {@link io.github.bloomgate.near.NearBitmaps}.
 */
package io.github.bloomgate.near;
