package io.github.bloomgate.model;

import java.time.Duration;
import java.time.Instant;

/**
 * A rebuild that is open: a generation that is loaded beside the live one and shall replace it.
 *
 * @param next the generation that is loaded
 * @param openedAt when it was opened, by the service's clock
 * @param elementsReceived elements loaded into it; those that were added to the live filter
 *     meanwhile, and so to this as well, are not counted
 * @param patience how long it may go without a load before it counts as abandoned
 * @param abandonedAt when it counts as abandoned unless more is loaded, by the clock of Redis
 */
public record Rebuild(
    Filter next, Instant openedAt, long elementsReceived, Duration patience, Instant abandonedAt) {}
