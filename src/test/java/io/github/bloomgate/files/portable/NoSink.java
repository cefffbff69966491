package io.github.bloomgate.files.portable;

import io.github.bloomgate.model.SegmentCounts;

/** Takes the content of a file and keeps nothing. */
final class NoSink implements FilterFileSink {

  int blocks;

  @Override
  public void block(int segment, long offset, byte[] buffer, int start, int length) {
    blocks++;
  }

  @Override
  public void endSegment(int segment, SegmentCounts counts, boolean snapshot) {}
}
