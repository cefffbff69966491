/**
 * Where filters live: the Redis keys, what is stored under them, and one method per atomic script.
 * Depends on {@code redis} to run scripts and on {@code model} for values. Start with {@link
 * io.github.bloomgate.store.FilterStore}; the scripts are in {@code src/main/resources/lua}.
 */
package io.github.bloomgate.store;
