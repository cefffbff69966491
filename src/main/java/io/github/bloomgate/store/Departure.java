package io.github.bloomgate.store;

import java.util.Map;

/**
 * What a fenced filter has in the slot it leaves; nothing of it changes until its move has ended.
 *
 * @param state the fields of its state
 * @param sets its segment sets, and those to be freed
 * @param next the fields of the next state; none without an open rebuild
 * @param source the fields of its source; none without one
 * @param bytes of the bitmap of its first segment
 * @param nextBytes of the first bitmap of the next generation; 0 without an open rebuild
 * @param deadline of its keys in Unix milliseconds, 0 for none
 */
public record Departure(
    Map<String, String> state,
    Map<String, String> sets,
    Map<String, String> next,
    Map<String, String> source,
    long bytes,
    long nextBytes,
    long deadline) {}
