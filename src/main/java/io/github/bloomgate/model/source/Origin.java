package io.github.bloomgate.model.source;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.github.bloomgate.lines.ElementEncoding;
import io.github.bloomgate.lines.LineFormat;

/** The location of a source's elements. In JSON, its fields identify its kind. */
@JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
@JsonSubTypes({
  @JsonSubTypes.Type(Origin.RedisKey.class),
  @JsonSubTypes.Type(Origin.Url.class),
  @JsonSubTypes.Type(Origin.File.class)
})
public sealed interface Origin {

  /** A set, sorted set or list in the same Redis. Its members are the elements, byte for byte. */
  record RedisKey(String key) implements Origin {}

  /** A text with an element in each line. */
  sealed interface Lines extends Origin {
    LineFormat format();

    ElementEncoding encoding();
  }

  /** Lines from an HTTP server. */
  record Url(String url, LineFormat format, ElementEncoding encoding) implements Lines {}

  /**
   * Lines of a file, decompressed if it is gzip.
   *
   * @param path relative to the configured folder
   */
  record File(String path, LineFormat format, ElementEncoding encoding) implements Lines {}
}
