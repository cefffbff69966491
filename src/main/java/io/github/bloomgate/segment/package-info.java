/**
 * Segments of a filter: bitmap, header and journal in one string. Reads, writes and interprets
 * their bytes without Redis and without the framework.
 *
 * <p>Replaying the journal over the bitmap in order gives the content at any position, so all
 * instances agree on which elements were new or refused and on the bits set. The Lua scripts only
 * order these bytes and do not interpret them.
 */
package io.github.bloomgate.segment;
