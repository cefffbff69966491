/**
 * Limits the memory of requests and caches. Start with {@link
 * io.github.bloomgate.memory.MemoryBudget}.
 */
package io.github.bloomgate.memory;
