/**
 * How much memory requests and what is kept for them may take together. Start with {@link
 * io.github.bloomgate.memory.MemoryBudget}.
 */
package io.github.bloomgate.memory;
