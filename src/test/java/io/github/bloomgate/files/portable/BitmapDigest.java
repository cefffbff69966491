package io.github.bloomgate.files.portable;

import io.github.bloomgate.model.SegmentCounts;
import java.security.MessageDigest;

/** Keeps the digest of the bitmap. */
final class BitmapDigest implements FilterFileSink {
  final MessageDigest digest;
  SegmentCounts counts;

  BitmapDigest(MessageDigest digest) {
    this.digest = digest;
  }

  @Override
  public void block(int segment, long offset, byte[] buffer, int start, int length) {
    digest.update(buffer, start, length);
  }

  @Override
  public void endSegment(int segment, SegmentCounts counted, boolean snapshot) {
    counts = counted;
  }
}
