/**
 * Filters in Redis, each in one cluster slot: its state is a hash, and each of its segments is a
 * string. One store for each subject has one method for each script in {@code
 * src/main/resources/lua}. Scripts and stores handle bytes without interpreting segments.
 */
package io.github.bloomgate.store;
