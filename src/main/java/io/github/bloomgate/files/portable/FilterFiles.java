package io.github.bloomgate.files.portable;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Opens filter files in all formats. */
public final class FilterFiles {

  private FilterFiles() {}

  /**
   * Reads and checks the header of a file.
   *
   * @throws io.github.bloomgate.model.error.BloomException CORRUPT_IMPORT if the header is invalid;
   *     LIMIT_EXCEEDED if the filter exceeds a limit
   */
  public static FilterReader read(FileDescription file, InputStream in) throws IOException {
    return switch (file.format()) {
      case BLOOMGATE -> new FilterFileReader(in);
      case GUAVA -> GuavaFile.read(file, in);
      case BITS_AND_BLOOMS -> BitsAndBloomsFile.read(file, in);
      case REDIS_BITMAP -> new BitmapReader(in, BitmapBody.redis(file.parameters().orElseThrow()));
      case REDISBLOOM -> RedisBloomFile.read(in);
    };
  }

  /**
   * Writes the header of a file.
   *
   * @param format one that {@link FileFormat#holds} the filter
   */
  public static FilterWriter write(FileFormat format, FileHeader header, OutputStream out)
      throws IOException {
    return format == FileFormat.BLOOMGATE
        ? new FilterFileWriter(out, header)
        : new BitmapWriter(out, body(format, header));
  }

  /** The length of a filter's file. */
  public static long length(FileFormat format, FileHeader header) {
    return format == FileFormat.BLOOMGATE
        ? FilterFileWriter.length(header)
        : body(format, header).fileBytes();
  }

  private static BitmapBody body(FileFormat format, FileHeader header) {
    return switch (format) {
      case GUAVA -> GuavaFile.body(header.parameters());
      case BITS_AND_BLOOMS -> BitsAndBloomsFile.body(header.parameters());
      case REDIS_BITMAP -> BitmapBody.redis(header.parameters());
      case BLOOMGATE, REDISBLOOM -> throw new IllegalArgumentException(format.id());
    };
  }
}
