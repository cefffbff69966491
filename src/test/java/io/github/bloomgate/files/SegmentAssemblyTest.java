package io.github.bloomgate.files;

import static io.github.bloomgate.support.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.files.portable.FileHeader;
import io.github.bloomgate.files.portable.FilterFileReader;
import io.github.bloomgate.files.portable.FilterFileWriter;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.Counting;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.FilterPlan;
import io.github.bloomgate.model.Plain;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.support.Seeded;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The content of segments survives an export and an import. */
class SegmentAssemblyTest extends Seeded {

  /** The time of the last add. */
  private static final long NEWEST = 1_029_900;

  private enum Kind {
    FIXED,
    COUNTING,
    BY_TIME,
    BY_INSERTIONS;

    private FilterParameters parameters() {
      var scheme = HashSchemes.nativeScheme();
      return switch (this) {
        case FIXED -> new Plain(WhenFull.ACCEPT).parameters(scheme, 1_000, 0.01);
        case COUNTING -> new Counting(WhenFull.REJECT).parameters(scheme, 1_000, 0.01);
        case BY_TIME -> Window.ofSeconds(60, 4, true).parameters(scheme, 1_000, 0.01);
        case BY_INSERTIONS -> Window.ofInsertions(1_000, 4, false).parameters(scheme, 1_000, 0.01);
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void theContentOfASegmentIsRestored(Kind kind) throws IOException {
    var plan = FilterPlan.of(kind.parameters());
    var written = filled(plan);
    var read = read(plan, write(plan, written, written.content().kindHeader()));
    assertEquals(1, read.size());
    assertArrayEquals(written.bitmap(), read.get(0).bitmap());
    assertArrayEquals(written.content().kindHeader(), read.get(0).content().kindHeader());
    assertEquals(written.content().insertions(), read.get(0).content().insertions());
  }

  @Test
  void ringsOfOtherBitsAreCorrupt() throws IOException {
    var plan = FilterPlan.of(Kind.BY_TIME.parameters());
    var written = filled(plan);
    var rings = written.content().kindHeader();
    // The lowest byte of the number of set bits in the first ring.
    rings[8 + 31] = (byte) (rings[8 + 31] + 1);
    var file = write(plan, written, rings);
    var failure = assertFails(ErrorCode.CORRUPT_IMPORT, () -> read(plan, file));
    assertTrue(failure.getMessage().contains("segment 0"), failure.getMessage());
  }

  /** The destination's Redis sets the time of adds during an import. */
  @Test
  void aFileFromAnotherClockDoesNotExpireElementsEarly() throws IOException {
    var plan = FilterPlan.of(Kind.BY_TIME.parameters());
    var written = filled(plan);
    var file = write(plan, written, written.content().kindHeader());
    var now = 500_000L;
    var read = read(plan, file, Instant.ofEpochMilli(now)).get(0);
    var live = SegmentCopy.empty(read.format());
    var added =
        random
            .ints(plan.parameters().shape().numHashFunctions(), 0, live.content().positions())
            .toArray();
    live.content().add(added, 0, now);
    live.join(read);
    assertTrue(live.content().contains(added, 0));
    assertEquals(written.content().insertions() + 1, live.content().insertions());
    live.content().advanceTo(now + 60_000);
    assertTrue(live.content().contains(added, 0));
    live.content().advanceTo(now + 80_000);
    assertFalse(live.content().contains(added, 0));
  }

  private SegmentCopy filled(FilterPlan plan) {
    var copy = SegmentCopy.empty(plan.layers().get(0).format());
    var k = plan.parameters().shape().numHashFunctions();
    for (var i = 0; i < 300; i++) {
      var positions = random.ints(k, 0, copy.content().positions()).toArray();
      copy.content().add(positions, 0, 1_000_000L + 100L * i);
    }
    return copy;
  }

  private static byte[] write(FilterPlan plan, SegmentCopy content, byte[] rings)
      throws IOException {
    var out = new ByteArrayOutputStream();
    var writer = new FilterFileWriter(out, new FileHeader(new FilterName("some"), plan, 1));
    writer.write(content.bitmap());
    if (plan.parameters().kind() instanceof Window) {
      writer.rings(NEWEST, rings);
    }
    writer.endSegment(content.content().insertions(), true);
    writer.end();
    return out.toByteArray();
  }

  private static List<SegmentCopy> read(FilterPlan plan, byte[] file) throws IOException {
    return read(plan, file, Instant.ofEpochMilli(NEWEST));
  }

  private static List<SegmentCopy> read(FilterPlan plan, byte[] file, Instant latest)
      throws IOException {
    var found = new ArrayList<SegmentCopy>();
    new FilterFileReader(new ByteArrayInputStream(file))
        .read(new SegmentAssembly(plan, latest, (content, segment) -> found.add(content)));
    return found;
  }
}
