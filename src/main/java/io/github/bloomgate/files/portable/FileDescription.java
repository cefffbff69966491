package io.github.bloomgate.files.portable;

import io.github.bloomgate.model.FilterParameters;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The format of a file to read, and the parameters that the format does not contain.
 *
 * @param format its layout
 * @param parameters the filter's, if the format contains none
 * @param expectedInsertions n, if the format contains the bits but not n
 * @param falsePositiveProbability p, if the format contains the bits but not p
 */
public record FileDescription(
    FileFormat format,
    Optional<FilterParameters> parameters,
    OptionalLong expectedInsertions,
    OptionalDouble falsePositiveProbability) {

  /**
   * Reads and checks the header of the file.
   *
   * @throws io.github.bloomgate.model.error.BloomException CORRUPT_IMPORT if the header is invalid;
   *     LIMIT_EXCEEDED if the filter exceeds a limit
   */
  public FilterReader read(InputStream in) throws IOException {
    return switch (format) {
      case BLOOMGATE -> new FilterFileReader(in);
      case GUAVA -> GuavaFile.read(this, in);
      case BITS_AND_BLOOMS -> BitsAndBloomsFile.read(this, in);
      case REDIS_BITMAP -> new BitmapReader(in, BitmapBody.redis(parameters.orElseThrow()));
      case REDISBLOOM -> RedisBloomFile.read(in);
    };
  }

  /** A file that contains all parameters. */
  public static FileDescription of(FileFormat format) {
    return new FileDescription(
        format, Optional.empty(), OptionalLong.empty(), OptionalDouble.empty());
  }

  public static FileDescription ofBitmap(FilterParameters parameters) {
    return new FileDescription(
        FileFormat.REDIS_BITMAP,
        Optional.of(parameters),
        OptionalLong.empty(),
        OptionalDouble.empty());
  }

  /** A file of a filter for n elements at the rate p, which the file does not contain. */
  public static FileDescription of(
      FileFormat format, long expectedInsertions, double falsePositiveProbability) {
    return new FileDescription(
        format,
        Optional.empty(),
        OptionalLong.of(expectedInsertions),
        OptionalDouble.of(falsePositiveProbability));
  }
}
