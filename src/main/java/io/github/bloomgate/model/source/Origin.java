package io.github.bloomgate.model.source;

import io.github.bloomgate.model.lines.ElementEncoding;
import io.github.bloomgate.model.lines.LineFormat;

/** Where the elements of a source are. */
public sealed interface Origin {

  /**
   * A set, sorted set or list in the Redis of the filters. Its members are the elements, byte for
   * byte.
   */
  record RedisKey(String key) implements Origin {}

  /** Lines that an HTTP server answers with. */
  record Url(String url, LineFormat format, ElementEncoding encoding) implements Origin {}

  /**
   * Lines of a file; unzipped if it is gzip.
   *
   * @param path relative to the folder of the configuration
   */
  record File(String path, LineFormat format, ElementEncoding encoding) implements Origin {}
}
