package io.github.bloomgate.store;

import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.segment.SegmentField;
import java.util.List;

/**
 * Changes of a segment's bitmap and header, up to the position that the caller knows.
 *
 * @param fields at most {@link SegmentCopy#MOST_FIELDS}, because Redis needs about a microsecond
 *     for each
 */
public record Patch(KnownSegment known, List<SegmentField> fields) {

  public Patch {
    var end = (long) Byte.SIZE * (known.layout().bitmapBytes() + known.layout().headerBytes());
    for (var field : fields) {
      if (field.bit() < 0 || field.bit() + field.bits() > end) {
        throw new IllegalArgumentException("a field is after the header");
      }
    }
    if (fields.isEmpty() || fields.size() > SegmentCopy.MOST_FIELDS) {
      throw new IllegalArgumentException("%d fields in a patch".formatted(fields.size()));
    }
  }
}
