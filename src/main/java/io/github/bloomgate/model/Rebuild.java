package io.github.bloomgate.model;

import java.time.Duration;
import java.time.Instant;

/**
 * An open rebuild: a next generation that is loaded while the live one is in use.
 *
 * @param next the generation being loaded
 * @param openedAt by the clock of the instance
 * @param elementsReceived elements loaded into it, without those added to the live filter
 * @param idleTimeout the time without a load after which it is abandoned
 * @param abandonedAt when it is abandoned unless more is loaded, by the Redis clock
 */
public record Rebuild(
    Filter next,
    Instant openedAt,
    long elementsReceived,
    Duration idleTimeout,
    Instant abandonedAt) {}
