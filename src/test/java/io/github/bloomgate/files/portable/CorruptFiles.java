package io.github.bloomgate.files.portable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.support.Seeded;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** A file, ways to alter it, and checks that altered files are refused. */
abstract class CorruptFiles extends Seeded {

  final FileContent sample = FileContent.ofFourBlocks(random);
  final byte[] file = sample.write();

  void assertCorrupt(byte[] bad, String problem) {
    var failure =
        assertThrows(
            BloomException.class,
            () -> new FilterFileReader(new ByteArrayInputStream(bad)).read(new FilterFileSink() {}),
            () -> "seed " + seed);
    assertEquals(ErrorCode.CORRUPT_IMPORT, failure.code(), failure.getMessage());
    assertTrue(failure.getMessage().contains(problem), failure.getMessage());
    assertTrue(failure.getMessage().contains("Nothing was changed"), failure.getMessage());
  }

  byte[] part(int fromRecord, int toRecord) {
    var at = sample.boundaries();
    return Arrays.copyOfRange(
        file, at.get(fromRecord), toRecord < 0 ? file.length : at.get(toRecord));
  }

  static byte[] withInt(byte[] file, int at, int value) {
    var changed = file.clone();
    ByteBuffer.wrap(changed).putInt(at, value);
    return changed;
  }

  static int checksum(byte[] bytes, int start, int length) {
    var sum = new CRC32C();
    sum.update(bytes, start, length);
    return (int) sum.getValue();
  }
}
