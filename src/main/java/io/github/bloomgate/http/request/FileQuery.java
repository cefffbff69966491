package io.github.bloomgate.http.request;

import io.github.bloomgate.files.portable.FileDescription;
import io.github.bloomgate.files.portable.FileFormat;
import io.github.bloomgate.http.contract.Query;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import java.util.Set;
import java.util.TreeSet;

/**
 * The query of an export or an import: the format of the file, and parameters it does not contain.
 */
public final class FileQuery {

  private static final String FORMAT = "format";
  private static final String INSERTIONS = "expectedInsertions";
  private static final String PROBABILITY = "falsePositiveProbability";

  private FileQuery() {}

  public static FileFormat format(Query query) {
    return query.text(FORMAT).flatMap(FileFormat::named).orElse(FileFormat.BLOOMGATE);
  }

  /**
   * Describes the file of an import.
   *
   * @throws BloomException INVALID_REQUEST if there are parameters that the file contains itself,
   *     or too few; LIMIT_EXCEEDED if the filter would be too large
   */
  public static FileDescription ofImport(Query query) {
    var format = format(query);
    return switch (format) {
      case BLOOMGATE, REDISBLOOM -> {
        requireOnly(query, format, Set.of());
        yield FileDescription.of(format);
      }
      case GUAVA, BITS_AND_BLOOMS -> {
        requireOnly(query, format, Set.of(INSERTIONS, PROBABILITY));
        yield ofLibrary(query, format);
      }
      case REDIS_BITMAP -> FileDescription.ofBitmap(ofBitmap(query));
    };
  }

  private static void requireOnly(Query query, FileFormat format, Set<String> taken) {
    var others = new TreeSet<>(query.names());
    others.remove(FORMAT);
    others.removeAll(taken);
    if (!others.isEmpty()) {
      throw RequestErrors.invalid(
          "A file in the format %s contains its parameters, so %s cannot be given. Leave it out."
              .formatted(format.id(), String.join(", ", others)));
    }
  }

  private static FileDescription ofLibrary(Query query, FileFormat format) {
    var insertions = query.whole(INSERTIONS);
    var probability = query.number(PROBABILITY);
    if (insertions.isEmpty() && probability.isEmpty()) {
      return FileDescription.of(format);
    }
    if (insertions.isEmpty() || probability.isEmpty()) {
      throw RequestErrors.invalid(
          "expectedInsertions is given without falsePositiveProbability, or the other way round. Send both as they were when the filter was created, or neither.");
    }
    return FileDescription.of(format, insertions.get(), probability.get());
  }

  private static FilterParameters ofBitmap(Query query) {
    var choice = FilterChoice.of(query);
    if (choice.hashScheme == null) {
      throw RequestErrors.invalid(
          "hashScheme is missing, and a bitmap does not name its library. Send it.");
    }
    var parameters = choice.toParametersOfBitmap();
    if (parameters.hashScheme().isKeyed()) {
      throw RequestErrors.invalid(
          "A bitmap does not contain the key of a keyed filter. Send the file that an export in the format bloomgate wrote.");
    }
    if (!FileFormat.REDIS_BITMAP.holds(parameters)) {
      throw RequestErrors.invalid(
          "A filter of %d bits of the hashScheme %s has %d bitmaps, but the format redis-bitmap holds only one. Send the file that an export in the format bloomgate wrote."
              .formatted(
                  parameters.shape().bitSize(),
                  parameters.hashScheme().id(),
                  parameters.shape().segments()));
    }
    return parameters;
  }
}
