package io.github.bloomgate.store;

import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.hash.KeyOrigin;
import io.github.bloomgate.model.AdoptedKey;
import io.github.bloomgate.model.CounterCounts;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.Filter.Pending;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Generation;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.model.SegmentCounts;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.redis.ScriptReply;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The state hash of a filter's first segment, to and from fields. */
final class FilterState {

  /** The number of the layout described in docs/storage-layout.md. */
  private static final String FORMAT = "1";

  /** Likewise, of a filter that forgets or counts: earlier versions would take both for bits. */
  private static final String LATER_FORMAT = "2";

  private static final String COUNTING = "counting";
  private static final String YES = "1";

  private static final String SECRET = "hashSecretId";
  private static final String SALT = "hashSalt";
  private static final String KEY = "redisKey";
  private static final String COMPANION = "configKey";
  private static final String NEXT_KEY = "nextRedisKey";
  private static final String NEXT_COMPANION = "nextConfigKey";

  private FilterState() {}

  /** The fields of a new filter, name and value in turn. What every script reads comes first. */
  static List<String> newFields(Filter filter) {
    var parameters = filter.parameters();
    var shape = parameters.shape();
    var fields = new ArrayList<String>();
    add(fields, "generation", filter.generation());
    add(fields, "segmentBits", shape.segmentBits());
    add(fields, "bitsSet", 0);
    add(fields, "insertions", 0);
    add(fields, "maxInsertions", parameters.maxInsertionsPerSegment());
    add(fields, "mark", "");
    var kind = kindFields(parameters);
    if (kind.isEmpty()) {
      add(fields, "format", FORMAT);
    }
    fields.addAll(kind);
    add(fields, "hashScheme", parameters.hashScheme().id());
    parameters.hashScheme().elementCodec().ifPresent(codec -> add(fields, "elementCodec", codec));
    addOrigin(fields, parameters.hashScheme());
    add(fields, "expectedInsertions", parameters.expectedInsertions());
    add(fields, "falsePositiveProbability", parameters.falsePositiveProbability());
    add(fields, "numHashFunctions", shape.numHashFunctions());
    add(fields, "segments", filter.segments());
    add(fields, "whenFull", parameters.whenFull().name().toLowerCase(Locale.ROOT));
    parameters.growth().ifPresent(growth -> addGrowth(fields, growth, filter.layers()));
    add(fields, "createdAt", filter.createdAt().toEpochMilli());
    add(fields, "revision", filter.revision());
    filter.adoptedKey().ifPresent(key -> addKey(fields, key, filter.isNext()));
    filter.expiresAt().ifPresent(at -> add(fields, "expiresAt", at.toEpochMilli()));
    if (filter.pending() != Pending.NOTHING) {
      add(fields, "pending", filter.pending().name().toLowerCase(Locale.ROOT));
    }
    return fields;
  }

  /** What tells every segment what its bits are, if they are not just those of elements. */
  static List<String> kindFields(FilterParameters parameters) {
    var fields = new ArrayList<String>();
    parameters.window().ifPresent(window -> add(fields, WindowText.FIELD, WindowText.of(window)));
    if (parameters.counting()) {
      add(fields, COUNTING, YES);
    }
    if (!fields.isEmpty()) {
      add(fields, "format", LATER_FORMAT);
    }
    return fields;
  }

  private static void addGrowth(List<String> fields, Growth growth, List<Layer> layers) {
    add(fields, "growthFactor", growth.factor());
    add(fields, "maxSizeBytes", growth.maxSizeBytes());
    add(fields, "layers", layers.size());
    for (var i = 1; i < layers.size(); i++) {
      add(fields, layerField(i), LayerText.of(layers.get(i)));
    }
  }

  /** The field that describes a layer behind the first. */
  static String layerField(int index) {
    return "layer:" + index;
  }

  private static void addOrigin(List<String> fields, HashScheme scheme) {
    if (scheme.isKeyed()) {
      var origin = scheme.keyOrigin().orElseThrow();
      add(fields, SECRET, origin.secretId());
      add(fields, SALT, origin.salt());
    }
  }

  /**
   * A next generation is still under keys of its own, so for it the fields have other names: only
   * where a state has a {@code redisKey} the bits are there.
   */
  private static void addKey(List<String> fields, AdoptedKey key, boolean isNext) {
    add(fields, isNext ? NEXT_KEY : KEY, key.redisKey());
    key.companionKey()
        .ifPresent(companion -> add(fields, isNext ? NEXT_COMPANION : COMPANION, companion));
  }

  private static Optional<AdoptedKey> readKey(Map<String, String> fields, boolean isNext) {
    var companion = Optional.ofNullable(fields.get(isNext ? NEXT_COMPANION : COMPANION));
    return Optional.ofNullable(fields.get(isNext ? NEXT_KEY : KEY))
        .map(key -> new AdoptedKey(key, companion));
  }

  private static void add(List<String> fields, String name, Object value) {
    fields.add(name);
    fields.add(value.toString());
  }

  /**
   * Reads a filter from its fields.
   *
   * @throws BloomException FILTER_DAMAGED if a field is missing, malformed, or of a format or
   *     scheme this version does not know
   */
  static Filter read(FilterName name, Map<String, String> fields, HashSecrets secrets) {
    return read(name, fields, secrets, false);
  }

  /**
   * Likewise, of the generation that a rebuild loads. Its deadline is the live filter's, so it has
   * none of its own.
   */
  static Filter readNext(FilterName name, Map<String, String> fields, HashSecrets secrets) {
    return read(name, fields, secrets, true);
  }

  private static Filter read(
      FilterName name, Map<String, String> fields, HashSecrets secrets, boolean isNext) {
    var format = fields.get("format");
    if (!FORMAT.equals(format) && !LATER_FORMAT.equals(format)) {
      throw format == null ? damaged(name) : FilterErrors.unknownFormat(name, format);
    }
    try {
      var growth = readGrowth(fields);
      var window = Optional.ofNullable(fields.get(WindowText.FIELD)).map(WindowText::read);
      var counting = isCounting(fields);
      if (format.equals(FORMAT) == (counting || window.isPresent())) {
        throw damaged(name);
      }
      var later = growth.isPresent() ? LayerText.readLater(fields) : List.<Layer>of();
      var segments = Integer.parseInt(required(fields, "segments"));
      var shape =
          new FilterShape(
              later.isEmpty() ? segments : later.get(0).firstSegment(),
              Long.parseLong(required(fields, "segmentBits")),
              Integer.parseInt(required(fields, "numHashFunctions")));
      var parameters =
          new FilterParameters(
              readScheme(name, fields, secrets),
              Long.parseLong(required(fields, "expectedInsertions")),
              Double.parseDouble(required(fields, "falsePositiveProbability")),
              shape,
              WhenFull.valueOf(required(fields, "whenFull").toUpperCase(Locale.ROOT)),
              growth,
              window,
              counting);
      var filter =
          new Filter(
              name,
              parameters,
              Generation.parse(required(fields, "generation")),
              Long.parseLong(required(fields, "revision")),
              Optional.ofNullable(fields.get("pending"))
                  .map(pending -> Pending.valueOf(pending.toUpperCase(Locale.ROOT)))
                  .orElse(Pending.NOTHING),
              Instant.ofEpochMilli(Long.parseLong(required(fields, "createdAt"))),
              Optional.ofNullable(fields.get("expiresAt"))
                  .filter(at -> !isNext)
                  .map(Long::parseLong)
                  .map(Instant::ofEpochMilli),
              readKey(fields, isNext),
              isNext,
              Optional.ofNullable(fields.get("next")).map(Generation::parse));
      return growth.isEmpty() ? filter : LayerText.withLayers(filter, later, fields, segments);
    } catch (IllegalArgumentException malformed) {
      throw damaged(name);
    }
  }

  private static boolean isCounting(Map<String, String> fields) {
    var counting = fields.get(COUNTING);
    if (counting != null && !counting.equals(YES)) {
      throw new IllegalArgumentException(COUNTING);
    }
    return counting != null;
  }

  private static Optional<Growth> readGrowth(Map<String, String> fields) {
    return Optional.ofNullable(fields.get("growthFactor"))
        .map(
            factor ->
                new Growth(
                    Integer.parseInt(factor), Long.parseLong(required(fields, "maxSizeBytes"))));
  }

  private static HashScheme readScheme(
      FilterName name, Map<String, String> fields, HashSecrets secrets) {
    var id = required(fields, "hashScheme");
    var scheme =
        HashSchemes.named(id, Optional.ofNullable(fields.get("elementCodec")))
            .orElseThrow(() -> FilterErrors.unknownFormat(name, id));
    return scheme.isKeyed()
        ? secrets.scheme(new KeyOrigin(required(fields, SECRET), required(fields, SALT)))
        : scheme;
  }

  /** Reads the generation that an open rebuild loads, as scripts answer it; empty for none. */
  static Optional<Generation> next(ScriptReply reply, int index) {
    var next = reply.text(index);
    return next.isEmpty() ? Optional.empty() : Optional.of(Generation.parse(next));
  }

  /** Reads what a segment counts; empty if that is missing, malformed or impossible. */
  static Optional<SegmentCounts> readCounts(Map<String, String> fields) {
    try {
      var bitsSet = Long.parseLong(required(fields, "bitsSet"));
      var insertions = Long.parseLong(required(fields, "insertions"));
      if (bitsSet < 0
          || bitsSet > Long.parseLong(required(fields, "segmentBits"))
          || insertions < 0) {
        return Optional.empty();
      }
      return Optional.of(
          fields.containsKey(WindowText.FIELD)
              ? new SegmentCounts(WindowText.readSlices(fields, bitsSet), insertions)
              : new SegmentCounts(bitsSet, insertions, Optional.empty(), readCounters(fields)));
    } catch (IllegalArgumentException malformed) {
      return Optional.empty();
    }
  }

  private static Optional<CounterCounts> readCounters(Map<String, String> fields) {
    return isCounting(fields)
        ? Optional.of(
            new CounterCounts(
                Long.parseLong(fields.getOrDefault("countersAbove0", "0")),
                Long.parseLong(fields.getOrDefault("countersFull", "0"))))
        : Optional.empty();
  }

  /** Likewise, or fails with FILTER_DAMAGED. */
  static SegmentCounts requireCounts(Map<String, String> fields, Filter filter, int segment) {
    return readCounts(fields)
        .orElseThrow(
            () -> FilterErrors.damaged(filter.name(), SegmentStore.stateKey(filter, segment)));
  }

  /** Whether all that was journaled is in the bitmap, and so in the counts. */
  static boolean isFolded(Map<String, String> fields) {
    return fields.getOrDefault("folded", "0").equals(fields.getOrDefault("tip", "0"));
  }

  static String required(Map<String, String> fields, String name) {
    var value = fields.get(name);
    if (value == null) {
      throw new IllegalArgumentException(name);
    }
    return value;
  }

  static BloomException damaged(FilterName name) {
    return FilterErrors.damaged(name, Keys.ofFirstSegment(name).get(0));
  }
}
