package io.github.bloomgate.http.access;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.bloomgate.model.Quota;
import io.quarkus.runtime.configuration.MemorySizeConverter;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A key with the hash of its token. Written as a line of fields, separated by spaces: {@code <id>
 * <role> sha256:<64 hex digits> [<prefix>,<prefix>...] [maxFilters=<number>]
 * [maxBytes=<bytes>[K|M|G|T]]}.
 *
 * @param id not secret
 * @param hash of the token, as 64 hexadecimal digits in lower case
 * @param scope the names that the key may use
 * @param quota the limits for all filters that the key created
 */
public record ApiKey(String id, Role role, String hash, NameScope scope, Quota quota) {

  public static final String MAX_FILTERS = "maxFilters=";

  public static final String MAX_BYTES = "maxBytes=";

  private static final String ALGORITHM = "sha256:";
  private static final Pattern HASH = Pattern.compile(ALGORITHM + "[0-9a-fA-F]{64}");

  /** A prefix of filter names, or of Redis keys with such a name in braces. */
  private static final Pattern PREFIX = Pattern.compile("\\{?[A-Za-z0-9][A-Za-z0-9._~:@-]{0,127}");

  private static final Pattern COUNT = Pattern.compile("[1-9][0-9]{0,17}");
  private static final Pattern BYTES = Pattern.compile("[1-9][0-9]{0,17}[KMGT]?");

  private static final int REQUIRED_FIELDS = 3;

  /** A local client, which may do everything if there are no keys. */
  public static final ApiKey LOCAL = new ApiKey("local", Role.ADMIN, "", NameScope.ALL, Quota.NONE);

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException if it is invalid; the message says why but does not quote it,
   *     because it may contain the token instead of its hash
   */
  static ApiKey parse(String line) {
    var fields = line.strip().split("\\s+");
    if (fields.length < REQUIRED_FIELDS) {
      throw new IllegalArgumentException(
          "has %d fields; it must have id, role, sha256:<hash> and, if it is limited, its prefixes and its quota"
              .formatted(fields.length));
    }
    if (!KeyToken.ID.matcher(fields[0]).matches()) {
      throw new IllegalArgumentException(
          "has an id that is not 1 to 32 characters of A-Z a-z 0-9 . - beginning with a letter or"
              + " digit");
    }
    var role =
        Role.named(fields[1])
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "has a role that is not one of " + Role.names(", ")));
    if (!HASH.matcher(fields[2]).matches()) {
      throw new IllegalArgumentException(
          "has a third field that is not sha256: with 64 hex digits; the token itself does not"
              + " belong here");
    }
    var hash = fields[2].substring(ALGORITHM.length()).toLowerCase(Locale.ROOT);
    var limits = List.of(fields).subList(REQUIRED_FIELDS, fields.length);
    // A field with = is meant to be one of the quota, even if it is invalid.
    var isLimited = !limits.isEmpty() && limits.get(0).indexOf('=') < 0;
    var scope = scope(isLimited ? List.of(limits.get(0).split(",", -1)) : List.of());
    var quota = quota(fields[0], limits.subList(isLimited ? 1 : 0, limits.size()));
    return new ApiKey(fields[0], role, hash, scope, quota);
  }

  private static NameScope scope(List<String> prefixes) {
    if (!prefixes.stream().allMatch(prefix -> PREFIX.matcher(prefix).matches())) {
      throw new IllegalArgumentException(
          "has a prefix that no filter name can begin with, even after a {");
    }
    return NameScope.of(prefixes);
  }

  private static Quota quota(String owner, List<String> fields) {
    var maxFilters = 0L;
    var maxBytes = 0L;
    for (var field : fields) {
      if (maxFilters == 0 && field.startsWith(MAX_FILTERS)) {
        maxFilters = count(field.substring(MAX_FILTERS.length()));
      } else if (maxBytes == 0 && field.startsWith(MAX_BYTES)) {
        maxBytes = bytes(field.substring(MAX_BYTES.length()));
      } else {
        throw new IllegalArgumentException(
            "has a field after its hash that is not its prefixes, followed by maxFilters=<number>"
                + " and maxBytes=<bytes>, each once");
      }
    }
    return new Quota(owner, maxFilters, maxBytes);
  }

  private static long count(String text) {
    if (!COUNT.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "has a maxFilters that is not a whole number of at least 1");
    }
    return Long.parseLong(text);
  }

  private static long bytes(String text) {
    if (BYTES.matcher(text).matches()) {
      var bytes = new MemorySizeConverter().convert(text).asBigInteger();
      if (bytes.bitLength() < Long.SIZE) {
        return bytes.longValue();
      }
    }
    throw new IllegalArgumentException(
        "has a maxBytes that is not a whole number of at least 1, optionally followed by K, M, G or T,"
            + " below 2^63 bytes");
  }

  /**
   * The line of a key.
   *
   * @param quota its fields
   * @throws IllegalArgumentException if a prefix or a field of the quota is invalid
   */
  public static String line(
      String id, Role role, String token, List<String> prefixes, String... quota) {
    var hash = ALGORITHM + KeyToken.hash(token);
    var fields = new ArrayList<>(List.of(id, role.roleName(), hash));
    if (!scope(prefixes).isAll()) {
      fields.add(String.join(",", prefixes));
    }
    fields.addAll(List.of(quota));
    var line = String.join(" ", fields);
    parse(line);
    return line;
  }

  /** Compares the hash of a token in constant time. */
  boolean isHashOf(String hashOfToken) {
    return MessageDigest.isEqual(hash.getBytes(US_ASCII), hashOfToken.getBytes(US_ASCII));
  }

  @Override
  public String toString() {
    return id + " (" + role.roleName() + ")";
  }

  /**
   * Reads the keys of several lines by id. Ignores blank lines and those starting with #.
   *
   * @throws IllegalArgumentException if a line is invalid or an id occurs twice
   */
  static Map<String, ApiKey> parseAll(String... lines) {
    var keys = new HashMap<String, ApiKey>();
    for (var i = 0; i < lines.length; i++) {
      var content = lines[i].strip();
      if (content.isEmpty() || content.startsWith("#")) {
        continue;
      }
      try {
        var key = parse(content);
        if (Optional.ofNullable(keys.put(key.id, key)).isPresent()) {
          throw new IllegalArgumentException(
              "repeats the id '%s'; each key needs its own id".formatted(key.id));
        }
      } catch (IllegalArgumentException invalid) {
        throw new IllegalArgumentException(
            "cannot be used: line %d %s".formatted(i + 1, invalid.getMessage()), invalid);
      }
    }
    return keys;
  }
}
