/**
 * Threads. Adds and tests never block; operations on whole filters block on worker threads, with
 * {@link io.github.bloomgate.threads.Await}.
 */
package io.github.bloomgate.threads;
