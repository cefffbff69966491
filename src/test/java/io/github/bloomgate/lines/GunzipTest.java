package io.github.bloomgate.lines;

import static io.github.bloomgate.support.Bytes.zipped;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Content is restored exactly, or reading fails. */
class GunzipTest {

  @RepeatedTest(20)
  void contentIsRestoredHoweverItArrives() throws Exception {
    var seed = new Random().nextLong();
    var random = new Random(seed);
    var content = new ByteArrayOutputStream();
    var zipped = new ByteArrayOutputStream();
    for (var member = 1 + random.nextInt(4); member > 0; member--) {
      var part = new byte[random.nextInt(1 << random.nextInt(20))];
      random.nextBytes(part);
      // Half of it can be compressed.
      Arrays.fill(part, 0, part.length / 2, (byte) 'a');
      content.writeBytes(part);
      zipped.writeBytes(zipped(part));
    }
    var unzipped = new Gunzip(Chunks.random(zipped.toByteArray(), random)).readAllBytes();
    assertArrayEquals(content.toByteArray(), unzipped, "seed " + seed);
  }

  @Test
  void truncationIsRefusedAtEveryPosition() throws Exception {
    var one = zipped(new byte[] {1, 2, 3});
    var two = Arrays.copyOf(one, 2 * one.length);
    System.arraycopy(one, 0, two, one.length, one.length);
    for (var length = 0; length < two.length; length++) {
      if (length != one.length) {
        var cut = Arrays.copyOf(two, length);
        assertThrows(IOException.class, () -> unzip(cut), "cut to " + length);
      }
    }
    assertEquals(6, unzip(two).length);
  }

  @Test
  void aChangedByteIsDetected() throws Exception {
    var content = new byte[1000];
    new Random(1).nextBytes(content);
    var zipped = zipped(content);
    // The time and system in the header do not matter, nor do some bits of the first block.
    for (var place = 11; place < zipped.length; place++) {
      var changed = zipped.clone();
      changed[place] ^= 0x10;
      assertThrows(IOException.class, () -> unzip(changed), "byte " + place);
    }
  }

  @Test
  void dataAfterTheEndIsRefused() throws Exception {
    var zipped = zipped(new byte[10]);
    assertThrows(IOException.class, () -> unzip(Arrays.copyOf(zipped, zipped.length + 1)));
  }

  @Test
  void headersWithEveryFieldAreRead() throws Exception {
    var zipped = HexFormat.of().formatHex(zipped(new byte[] {7}));
    var header = "1f8b081e000000000003" + "0200aabb" + "6e616d6500" + "636f6d6d656e7400" + "a706";
    var rest = zipped.substring(20);
    var unzipped = unzip(HexFormat.of().parseHex(header + rest));
    assertArrayEquals(new byte[] {7}, unzipped);
    var changed = HexFormat.of().parseHex(header.replace("6e616d65", "6e616d66") + rest);
    assertThrows(IOException.class, () -> unzip(changed));
  }

  private static byte[] unzip(byte[] zipped) throws IOException {
    try (var in = new Gunzip(new ByteArrayInputStream(zipped))) {
      return in.readAllBytes();
    }
  }
}
