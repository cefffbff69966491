package io.github.bloomgate.store;

import io.github.bloomgate.segment.SegmentField;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The content of a segment in {@link SegmentModelTest}: the number of replayed entries, and a hash
 * that depends on their order. Both fit into a bitmap of 16 bytes.
 */
record ReplayedContent(long entries, long hash) {

  static final ReplayedContent EMPTY = new ReplayedContent(0, 0);

  /** Long entries, which soon fill a journal. */
  static final int ENTRY_BYTES = 60;

  private static final int TAIL = 6 + 8;

  ReplayedContent with(byte[] mark) {
    return new ReplayedContent(entries + 1, 31 * hash + ByteBuffer.wrap(mark).getLong());
  }

  /** Joins content that is in no block. */
  ReplayedContent joined(long other) {
    return new ReplayedContent(entries + 1_000_000, 37 * hash + other);
  }

  /** Replays all blocks of a journal, including empty ones. */
  ReplayedContent replayed(byte[] journal) {
    var content = this;
    for (var mark : marks(journal).entrySet()) {
      if (mark.getValue()) {
        content = content.with(HexFormat.of().parseHex(mark.getKey()));
      }
    }
    return content;
  }

  /** The marks of the blocks of a journal, in order, and whether they have entries. */
  private static Map<String, Boolean> marks(byte[] journal) {
    var marks = new LinkedHashMap<String, Boolean>();
    for (var at = 0; at < journal.length; ) {
      var count = ByteBuffer.wrap(journal).getShort(at);
      at += Short.BYTES + ENTRY_BYTES * count + TAIL;
      var mark = HexFormat.of().formatHex(Arrays.copyOfRange(journal, at - 8, at));
      if (marks.put(mark, count > 0) != null) {
        throw new AssertionError("the journal contains a block twice");
      }
    }
    return marks;
  }

  /** The content of a whole segment. */
  static ReplayedContent of(SegmentText text) {
    if (text.bytes().length == 0) {
      return EMPTY;
    }
    var folded = ofBitmap(text);
    var skipped = (int) (text.number(SegmentText.FOLDED) - text.number(SegmentText.BASE));
    var journal = text.journal();
    return folded.replayed(Arrays.copyOfRange(journal, skipped, journal.length));
  }

  /** The content of a segment's bitmap. */
  static ReplayedContent ofBitmap(SegmentText text) {
    if (text.bytes().length == 0) {
      return EMPTY;
    }
    var bitmap = ByteBuffer.wrap(text.bytes());
    return new ReplayedContent(bitmap.getLong(), bitmap.getLong());
  }

  /** The bytes of the bitmap that differ from an earlier content. */
  List<SegmentField> changedBytes(ReplayedContent earlier) {
    var fields = new ArrayList<SegmentField>();
    var now = ByteBuffer.allocate(16).putLong(entries).putLong(hash);
    var then = ByteBuffer.allocate(16).putLong(earlier.entries).putLong(earlier.hash);
    for (var i = 0; i < now.capacity(); i++) {
      if (now.get(i) != then.get(i)) {
        fields.add(new SegmentField(8L * i, 8, now.get(i) & 0xff));
      }
    }
    return fields;
  }

  /** A bitmap and a header for it. */
  byte[] folded(long position, byte[] mark) {
    var bytes = SegmentText.folded(ScriptsOfFilters.FORMAT, position, mark);
    ByteBuffer.wrap(bytes).putLong(entries).putLong(hash);
    return bytes;
  }
}
