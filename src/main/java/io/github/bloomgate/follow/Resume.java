package io.github.bloomgate.follow;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * Where a stream can be continued on the same instance.
 *
 * @param content identifies the frames of one content on one instance
 * @param place the number of the last frame before
 */
public record Resume(long content, long place) {

  static final int BYTES = 2 * Long.BYTES;

  /**
   * Reads 32 hexadecimal digits.
   *
   * @throws IllegalArgumentException if they are others
   */
  public static Resume parse(String hex) {
    var bytes = HexFormat.of().parseHex(hex);
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("not 32 digits");
    }
    var in = ByteBuffer.wrap(bytes);
    return new Resume(in.getLong(), in.getLong());
  }
}
