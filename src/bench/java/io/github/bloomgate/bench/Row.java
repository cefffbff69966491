package io.github.bloomgate.bench;

import java.util.Optional;

/**
 * A line of the main table.
 *
 * @param measured result with its unit
 * @param peer a peer and its result; empty for a limit
 * @param ratio ratio of the two; NaN for a limit
 */
record Row(
    String work,
    String measured,
    String peer,
    double ratio,
    Optional<Target> target,
    boolean isMet) {}
