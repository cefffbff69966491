package io.github.bloomgate.memory;

import io.github.bloomgate.memory.MemoryBudget.Use;
import java.util.function.Consumer;

/**
 * A request that waits for memory.
 *
 * @param age the number of requests before it
 * @param held the bytes that it holds while it waits
 * @param bytes the bytes that it waits for
 * @param result called once, on any thread, with whether they were taken
 */
record Waiting(Use use, String client, long age, long held, long bytes, Consumer<Boolean> result) {}
