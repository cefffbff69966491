/**
 * A segment of a filter: a bitmap, a header and a journal in one string. Reads and writes its bytes
 * and knows what they mean, without Redis and without the framework.
 *
 * <p>Replaying the journal over the bitmap in order gives the content at any position, so all
 * instances agree which element was new, which one a full segment refused, and how many bits are
 * set. {@code lua} orders the same bytes and knows none of this.
 */
package io.github.bloomgate.segment;
