package io.github.bloomgate.http.request;

import io.github.bloomgate.model.FileDescription;
import io.github.bloomgate.model.FileFormat;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.error.Violation;
import io.vertx.ext.web.RoutingContext;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The query of an export or an import: the format of the file, and what the file does not tell. */
public final class FileQuery {

  public static final String FORMAT = "format";
  public static final String PLAIN = "plain";
  public static final String INSERTIONS = "expectedInsertions";
  public static final String PROBABILITY = "falsePositiveProbability";
  public static final String BITS = "bitSize";
  public static final String HASH_FUNCTIONS = "numHashFunctions";
  public static final String SCHEME = "hashScheme";
  public static final String CODEC = "elementCodec";

  private static final Set<FileFormat> READ = EnumSet.allOf(FileFormat.class);
  private static final Set<FileFormat> WRITTEN =
      EnumSet.complementOf(EnumSet.of(FileFormat.REDISBLOOM));

  private final Map<String, List<String>> query;

  private FileQuery(Map<String, List<String>> query) {
    this.query = query;
  }

  /**
   * The format of an export.
   *
   * @throws BloomException INVALID_REQUEST if it is none that is written
   */
  public static FileFormat ofExport(RoutingContext context) {
    return new FileQuery(StrictQuery.of(context)).format(WRITTEN);
  }

  /**
   * Whether an export of a filter that counts has bits.
   *
   * @throws BloomException INVALID_REQUEST if it is neither true nor false
   */
  public static boolean isPlain(RoutingContext context) {
    return new FileQuery(StrictQuery.of(context))
        .text(PLAIN)
        .filter(text -> QueryFlag.read(PLAIN, text))
        .isPresent();
  }

  /**
   * What is known of the file of an import.
   *
   * @throws BloomException INVALID_REQUEST if the format is none that is read, or there are
   *     parameters that the file tells itself, or too few; LIMIT_EXCEEDED if the filter would be
   *     too large
   */
  public static FileDescription ofImport(RoutingContext context) {
    var query = new FileQuery(StrictQuery.of(context));
    var format = query.format(READ);
    return switch (format) {
      case BLOOMGATE, REDISBLOOM -> {
        query.requireOnly(format, Set.of());
        yield FileDescription.of(format);
      }
      case GUAVA, BITS_AND_BLOOMS -> {
        query.requireOnly(format, Set.of(INSERTIONS, PROBABILITY));
        yield query.ofLibrary(format);
      }
      case REDIS_BITMAP -> FileDescription.ofBitmap(query.ofBitmap());
    };
  }

  private FileFormat format(Set<FileFormat> known) {
    return text(FORMAT)
        .map(
            id ->
                FileFormat.named(id)
                    .filter(known::contains)
                    .orElseThrow(() -> unknownFormat(known)))
        .orElse(FileFormat.BLOOMGATE);
  }

  private static BloomException unknownFormat(Set<FileFormat> known) {
    var message =
        "must be one of " + known.stream().map(FileFormat::id).collect(Collectors.joining(", "));
    return RequestErrors.invalid(
        "format %s. Send one of them.".formatted(message),
        List.of(new Violation("query", FORMAT, message)));
  }

  private void requireOnly(FileFormat format, Set<String> taken) {
    var others = new TreeSet<>(query.keySet());
    others.remove(FORMAT);
    others.removeAll(taken);
    if (!others.isEmpty()) {
      throw RequestErrors.invalid(
          "A file in the format %s tells itself what filter it holds, so %s cannot be given. Leave it out."
              .formatted(format.id(), String.join(", ", others)));
    }
  }

  private FileDescription ofLibrary(FileFormat format) {
    var insertions = insertions();
    var probability = probability();
    if (insertions == null && probability == null) {
      return FileDescription.of(format);
    }
    if (insertions == null || probability == null) {
      throw RequestErrors.invalid(
          "expectedInsertions is given without falsePositiveProbability, or the other way round. Send both as the filter was made with, or none.");
    }
    return FileDescription.of(format, insertions, probability);
  }

  private FilterParameters ofBitmap() {
    if (text(SCHEME).isEmpty()) {
      throw RequestErrors.invalid(
          "hashScheme is missing, and a bitmap does not tell which library made it. Send it.");
    }
    var parameters =
        new ParameterChoice(
                insertions(),
                probability(),
                QueryNumber.integer(BITS, raw(BITS), 1, FilterParameters.MAX_BIT_SIZE).orElse(null),
                QueryNumber.integer(
                        HASH_FUNCTIONS, raw(HASH_FUNCTIONS), 1, FilterParameters.MAX_HASH_FUNCTIONS)
                    .map(Long::intValue)
                    .orElse(null),
                raw(SCHEME),
                raw(CODEC),
                null)
            .toParametersOfBitmap();
    if (parameters.hashScheme().isKeyed()) {
      throw RequestErrors.invalid(
          "A bitmap does not tell the key of a keyed filter. Send the file that an export in the format bloomgate wrote.");
    }
    if (!FileFormat.REDIS_BITMAP.holds(parameters)) {
      throw RequestErrors.invalid(
          "A filter of %d bits of the hashScheme %s has %d bitmaps, and the format redis-bitmap holds one. Send the file that an export in the format bloomgate wrote."
              .formatted(
                  parameters.shape().bitSize(),
                  parameters.hashScheme().id(),
                  parameters.shape().segments()));
    }
    return parameters;
  }

  private Long insertions() {
    return QueryNumber.integer(
            INSERTIONS, raw(INSERTIONS), 1, FilterParameters.MAX_EXPECTED_INSERTIONS)
        .orElse(null);
  }

  private Double probability() {
    return QueryNumber.probability(PROBABILITY, raw(PROBABILITY)).orElse(null);
  }

  private Optional<String> text(String name) {
    return Optional.ofNullable(raw(name));
  }

  private String raw(String name) {
    return query.containsKey(name) ? query.get(name).get(0) : null;
  }
}
