/**
 * Limits the memory of requests and caches, and divides memory and turns between clients. Start
 * with {@link io.github.bloomgate.memory.MemoryBudget}.
 */
package io.github.bloomgate.memory;
