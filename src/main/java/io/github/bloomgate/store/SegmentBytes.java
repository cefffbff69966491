package io.github.bloomgate.store;

import io.github.bloomgate.model.BitmapVersion;
import io.github.bloomgate.model.SegmentCounts;

/**
 * Bytes of a segment's bitmap and what the segment counted at the same moment.
 *
 * @param bytes the bytes, bit 0 of the bitmap being the highest bit of byte 0
 * @param counts counts of the whole segment; the bits of an adopted one nobody counts
 * @param version of the whole bitmap
 */
public record SegmentBytes(byte[] bytes, SegmentCounts counts, BitmapVersion version) {}
