package io.github.bloomgate.bench;

import java.util.Optional;

/**
 * One line of the main table.
 *
 * @param measured with its unit
 * @param peer a peer and its result; empty for a limit
 * @param ratio of the two; NaN for a limit
 */
record Row(
    String work,
    String measured,
    String peer,
    double ratio,
    Optional<Target> target,
    boolean isMet) {}
