package io.github.bloomgate.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.bloomgate.model.ContentId;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The state of a generation. If a rebuild loads it, {@code expiresAt} is when the rebuild expires
 * without another load.
 *
 * @param definition JSON with everything that is fixed within a generation
 * @param version changes with the generation, {@code next} and the definition only
 * @param number the number of the generation that users see
 * @param next the incarnation that an open rebuild loads
 * @param dropped content that must still be dropped
 * @param owner the API key that created the filter; empty for none
 * @param loading of a next generation; empty for the live one
 */
public record FilterState(
    String definition,
    String version,
    ContentId content,
    long number,
    Instant createdAt,
    Optional<Instant> expiresAt,
    Optional<String> next,
    Written written,
    Optional<Dropped> dropped,
    String owner,
    boolean hasSource,
    Optional<Loading> loading) {

  /**
   * A rebuild that loads a generation.
   *
   * @param received the number of elements loaded
   * @param idleTimeout the time after which it expires without a load
   * @param run the run of a source that loads it
   */
  public record Loading(long received, Duration idleTimeout, Optional<String> run) {

    private static Loading of(Map<String, byte[]> fields) {
      return new Loading(
          Long.parseLong(text(fields, "received")),
          Duration.ofMillis(Long.parseLong(text(fields, "idleTimeout"))),
          optional(fields, "run"));
    }
  }

  /** Its content, to be dropped when it is replaced. */
  public Dropped replaced() {
    return new Dropped(content, written);
  }

  /** The same state after more segments were written. */
  public FilterState withWritten(Written more) {
    return new FilterState(
        definition,
        version,
        content,
        number,
        createdAt,
        expiresAt,
        next,
        more,
        dropped,
        owner,
        hasSource,
        loading);
  }

  /** The same state of a generation that a rebuild loads. */
  public FilterState withLoading(Loading some) {
    return new FilterState(
        definition,
        version,
        content,
        number,
        createdAt,
        expiresAt,
        next,
        written,
        dropped,
        owner,
        hasSource,
        Optional.of(some));
  }

  static FilterState ofNext(Map<String, byte[]> fields) {
    return of(fields).withLoading(Loading.of(fields));
  }

  static FilterState of(Map<String, byte[]> fields) {
    return new FilterState(
        text(fields, "definition"),
        text(fields, "version"),
        new ContentId(new FilterName(text(fields, "home")), text(fields, "incarnation")),
        Long.parseLong(text(fields, "generation")),
        Instant.ofEpochMilli(Long.parseLong(text(fields, "createdAt"))),
        optional(fields, "expiresAt").map(Long::valueOf).map(Instant::ofEpochMilli),
        optional(fields, "next"),
        new Written(bytes(fields, "written")),
        Dropped.of(bytes(fields, "dropped")),
        text(fields, "owner"),
        flag(fields, "source"),
        Optional.empty());
  }

  private static boolean flag(Map<String, byte[]> fields, String name) {
    return switch (text(fields, name)) {
      case "" -> false;
      case "1" -> true;
      default -> throw new IllegalArgumentException("not a flag: " + name);
    };
  }

  /**
   * A filter that can be deleted, although its state is damaged or its deletion was cut off. In the
   * second case, its source and rebuild may or may not exist.
   */
  static RemovedFilter removed(Map<String, byte[]> fields) {
    var isCutOff = !fields.containsKey("version");
    return new RemovedFilter(
        text(fields, "version"),
        content(fields),
        new Written(bytes(fields, "written")),
        isCutOff || optional(fields, "next").isPresent(),
        isCutOff || text(fields, "source").equals("1"),
        Optional.empty());
  }

  /** Empty if the state does not name it. */
  private static Optional<ContentId> content(Map<String, byte[]> fields) {
    try {
      return Optional.of(
          new ContentId(new FilterName(text(fields, "home")), text(fields, "incarnation")));
    } catch (IllegalArgumentException | BloomException malformed) {
      return Optional.empty();
    }
  }

  private static Optional<String> optional(Map<String, byte[]> fields, String name) {
    return Optional.of(text(fields, name)).filter(text -> !text.isEmpty());
  }

  private static String text(Map<String, byte[]> fields, String name) {
    return new String(bytes(fields, name), UTF_8);
  }

  /** A field, empty if it is missing. */
  private static byte[] bytes(Map<String, byte[]> fields, String name) {
    return fields.getOrDefault(name, new byte[0]);
  }
}
