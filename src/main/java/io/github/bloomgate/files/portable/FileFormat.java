package io.github.bloomgate.files.portable;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The file formats of filters. */
public enum FileFormat {
  /** Bloomgate's own: checksummed, for any filter. */
  BLOOMGATE("bloomgate", "bloom"),
  /** The output of Guava's {@code BloomFilter.writeTo}. */
  GUAVA("guava", "guava"),
  /** The output of {@code WriteTo} of the Go library bits-and-blooms/bloom. */
  BITS_AND_BLOOMS("bits-and-blooms", "bits-and-blooms"),
  /** The bytes of a bitmap as {@code GET} returns them, without parameters. */
  REDIS_BITMAP("redis-bitmap", "bitmap"),
  /** The data of all replies of RedisBloom's {@code BF.SCANDUMP}; import only. */
  REDISBLOOM("redisbloom", "redisbloom");

  private final String id;
  private final String extension;

  FileFormat(String id, String extension) {
    this.id = id;
    this.extension = extension;
  }

  /** The stable id used in requests. */
  public String id() {
    return id;
  }

  public static Optional<FileFormat> named(String id) {
    return Arrays.stream(values()).filter(format -> format.id.equals(id)).findFirst();
  }

  /** The formats that can contain a filter with these parameters. */
  public static List<FileFormat> of(FilterParameters parameters) {
    return Arrays.stream(values()).filter(format -> format.holds(parameters)).toList();
  }

  /** Whether this format can contain a filter with these parameters. */
  public boolean holds(FilterParameters parameters) {
    if (!parameters.kind().hasBitsOnly()) {
      // All others hold one bitmap.
      return this == BLOOMGATE;
    }
    return switch (this) {
      case BLOOMGATE -> true;
      case GUAVA -> parameters.hashScheme().id().startsWith("guava-mitz-");
      case BITS_AND_BLOOMS -> parameters.hashScheme().id().equals("bits-and-blooms");
      case REDIS_BITMAP -> parameters.shape().segments() == 1 && !parameters.hashScheme().isKeyed();
      case REDISBLOOM -> false;
    };
  }

  /**
   * Writes the header of a file.
   *
   * @param header of a filter that this format {@link #holds}
   */
  public FilterWriter write(FileHeader header, OutputStream out) throws IOException {
    return this == BLOOMGATE
        ? new FilterFileWriter(out, header)
        : new BitmapWriter(out, body(header.parameters()));
  }

  /** The length of a filter's file. */
  public long length(FileHeader header) {
    return this == BLOOMGATE
        ? FilterFileWriter.length(header)
        : body(header.parameters()).fileBytes();
  }

  private BitmapBody body(FilterParameters parameters) {
    return switch (this) {
      case GUAVA -> GuavaFile.body(parameters);
      case BITS_AND_BLOOMS -> BitsAndBloomsFile.body(parameters);
      case REDIS_BITMAP -> BitmapBody.redis(parameters);
      case BLOOMGATE, REDISBLOOM -> throw new IllegalArgumentException(id);
    };
  }

  /** The name of a filter's export file. */
  public String fileName(FilterName name) {
    return name + "." + extension;
  }
}
