package io.github.bloomgate.store;

import java.util.Optional;

/**
 * A new bitmap and header for a segment.
 *
 * @param bytes bitmap and header. The header has the known mark, and the known position as its
 *     base; if other content was joined in, it has a fresh mark, and a base above all former
 *     positions
 * @param laterMark a fresh mark if later blocks may stay after joined content
 */
public record Fold(KnownSegment known, byte[] bytes, Optional<byte[]> laterMark) {}
