/**
 * Filters in Redis, each in one cluster slot: its state is a hash, and each of its segments is a
 * string. There is one store for each subject, with one method for each script in {@code
 * src/main/resources/lua}. The scripts store and order bytes; this package does not know what the
 * bytes of a segment mean.
 */
package io.github.bloomgate.store;
