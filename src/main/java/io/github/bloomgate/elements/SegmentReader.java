package io.github.bloomgate.elements;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.segment.SegmentFormat;
import io.github.bloomgate.store.SegmentStore;
import io.github.bloomgate.threads.Joined;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/** Reads content in segments. */
record SegmentReader(SegmentStore store, LiveFilters live, Generation generation)
    implements ContentReader {

  /** Redis answers each in about a microsecond. */
  private static final int MARKS_AT_ONCE = 64;

  /** Of a segment to which nothing was added. One that exists was created with its first block. */
  private static final byte[] NO_MARK = new byte[SegmentCopy.MARK_BYTES];

  @Override
  public int[] indexes() {
    return IntStream.range(0, generation.segments())
        .filter(generation.written()::contains)
        .toArray();
  }

  @Override
  public SegmentFormat format(int index) {
    return generation.layer(index).format();
  }

  @Override
  public SegmentCopy read(int index) {
    return find(index)
        .orElseGet(
            () -> {
              requireUnwritten(index);
              return SegmentCopy.empty(format(index));
            });
  }

  /** Fails if a segment that does not exist should. */
  private void requireUnwritten(int index) {
    if (generation.written().contains(index)) {
      if (!generation.isNext()) {
        live.getUnchanged(generation);
      }
      throw generation.stored().damaged(index);
    }
  }

  @Override
  public Optional<byte[]> marks() {
    var calls =
        IntStream.range(0, generation.segments())
            .mapToObj(index -> store.mark(generation.content(), index))
            .toList();
    var marks = ByteBuffer.allocate(SegmentCopy.MARK_BYTES * calls.size());
    var index = 0;
    for (var mark : await(Joined.all(calls, MARKS_AT_ONCE))) {
      if (mark.length == 0) {
        requireUnwritten(index);
      } else if (mark.length != SegmentCopy.MARK_BYTES || Arrays.equals(mark, NO_MARK)) {
        throw generation.stored().damaged(index);
      }
      marks.position(SegmentCopy.MARK_BYTES * index).put(mark);
      index++;
    }
    return Optional.of(marks.array());
  }

  Optional<SegmentCopy> find(int index) {
    var string = await(store.read(generation.stored().content(), index));
    try {
      return string.map(bytes -> SegmentCopy.read(format(index), bytes));
    } catch (IllegalArgumentException malformed) {
      throw generation.stored().damaged(index);
    }
  }

  @Override
  public byte[] read(long from, int count) {
    try (var content = read(0)) {
      return Arrays.copyOfRange(content.bitmap(), (int) from, (int) from + count);
    }
  }

  @Override
  public long insertions(long bitsSet) {
    try (var content = read(0)) {
      return content.content().insertions();
    }
  }
}
