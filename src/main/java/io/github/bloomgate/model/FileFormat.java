package io.github.bloomgate.model;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The layouts of files that filters are written to and read from. */
public enum FileFormat {
  /** Bloomgate's own: checksummed, of any filter. */
  BLOOMGATE("bloomgate", "bloom"),
  /** What Guava's {@code BloomFilter.writeTo} writes. */
  GUAVA("guava", "guava"),
  /** What {@code WriteTo} of the Go library bits-and-blooms/bloom writes. */
  BITS_AND_BLOOMS("bits-and-blooms", "bits-and-blooms"),
  /** The bytes of a bitmap as {@code GET} returns them; says nothing of the filter. */
  REDIS_BITMAP("redis-bitmap", "bitmap"),
  /** The data of all replies of RedisBloom's {@code BF.SCANDUMP}; read only. */
  REDISBLOOM("redisbloom", "redisbloom");

  private final String id;
  private final String extension;

  FileFormat(String id, String extension) {
    this.id = id;
    this.extension = extension;
  }

  /** The stable name by which requests choose it. */
  public String id() {
    return id;
  }

  /** The format with this id. */
  public static Optional<FileFormat> named(String id) {
    return Arrays.stream(values()).filter(format -> format.id.equals(id)).findFirst();
  }

  /** The formats in which a filter of these parameters can be written. */
  public static List<FileFormat> of(FilterParameters parameters) {
    return Arrays.stream(values()).filter(format -> format.holds(parameters)).toList();
  }

  /** Whether a filter of these parameters can be written in this format. */
  public boolean holds(FilterParameters parameters) {
    if (parameters.growth().isPresent() || !parameters.isPlain()) {
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

  /** The name for the file of a filter. */
  public String fileName(FilterName name) {
    return name + "." + extension;
  }
}
