package io.github.bloomgate.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.bloomgate.model.ContentId;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.IdleExpiry;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.redis.Arguments;
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
 * @param idle postpones {@code expiresAt} while the filter is used; a template has it without an
 *     {@code expiresAt}
 * @param next the incarnation that an open rebuild loads
 * @param dropped content that must still be dropped
 * @param owner the API key that created the filter; empty for none
 * @param isTemplate whether keys that only add may create filters like this one
 * @param loading of a next generation; empty for the live one
 */
public record FilterState(
    String definition,
    String version,
    ContentId content,
    long number,
    Instant createdAt,
    Optional<Instant> expiresAt,
    Optional<IdleExpiry> idle,
    Optional<String> next,
    Written written,
    Optional<Dropped> dropped,
    String owner,
    boolean hasSource,
    boolean isTemplate,
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
          StoredNumber.of(text(fields, "received")),
          Duration.ofMillis(StoredNumber.of(text(fields, "idleTimeout"))),
          optional(fields, "run"));
    }
  }

  /** Its content, to be dropped when it is replaced. */
  public Dropped replaced() {
    return new Dropped(content, written);
  }

  /** The same state after more segments were written. */
  public FilterState withWritten(Written more) {
    return with(expiresAt, idle, more, isTemplate, loading);
  }

  /** The same state of a generation that a rebuild loads. */
  public FilterState withLoading(Loading some) {
    return with(expiresAt, idle, written, isTemplate, Optional.of(some));
  }

  /** The same state of a filter that also expires when idle. */
  public FilterState withIdle(Optional<IdleExpiry> some) {
    return with(expiresAt, some, written, isTemplate, loading);
  }

  /** The same state of a template, which does not expire when idle. */
  public FilterState asTemplate() {
    return with(idle.isPresent() ? Optional.empty() : expiresAt, idle, written, true, loading);
  }

  private FilterState with(
      Optional<Instant> expiry,
      Optional<IdleExpiry> idling,
      Written segments,
      boolean template,
      Optional<Loading> load) {
    return new FilterState(
        definition,
        version,
        content,
        number,
        createdAt,
        expiry,
        idling,
        next,
        segments,
        dropped,
        owner,
        hasSource,
        template,
        load);
  }

  static FilterState ofNext(Map<String, byte[]> fields) {
    return of(fields).withLoading(Loading.of(fields));
  }

  static FilterState of(Map<String, byte[]> fields) {
    return new FilterState(
        text(fields, "definition"),
        text(fields, "version"),
        new ContentId(new FilterName(text(fields, "home")), text(fields, "incarnation")),
        StoredNumber.of(text(fields, "generation")),
        Instant.ofEpochMilli(StoredNumber.of(text(fields, "createdAt"))),
        optional(fields, "expiresAt").map(StoredNumber::of).map(Instant::ofEpochMilli),
        idle(fields),
        optional(fields, "next"),
        Written.of(bytes(fields, "written")),
        Dropped.of(bytes(fields, "dropped")),
        text(fields, "owner"),
        flag(fields, "source"),
        flag(fields, "template"),
        Optional.empty());
  }

  private static Optional<IdleExpiry> idle(Map<String, byte[]> fields) {
    var byTests = flag(fields, "idleTests");
    return optional(fields, "idleMillis")
        .map(millis -> new IdleExpiry(Duration.ofMillis(StoredNumber.of(millis)), byTests));
  }

  /** Adds the fields of an expiry when idle, empty for none. */
  static void putIdle(Arguments arguments, Optional<IdleExpiry> idle) {
    arguments
        .add("idleMillis")
        .add(idle.map(its -> String.valueOf(its.after().toMillis())).orElse(""));
    arguments.add("idleTests").add(idle.filter(IdleExpiry::byTests).isPresent());
  }

  /**
   * Adds the expiry that a filter gets. A template does not expire when idle.
   *
   * @param state of the filter; empty if it is new
   */
  static void putExpiry(Arguments arguments, NewExpiry expiry, Optional<FilterState> state) {
    var idle = expiry.isKept() ? state.flatMap(FilterState::idle) : expiry.idle();
    if (idle.isEmpty()) {
      arguments.add(expiry.isKept() ? state.flatMap(FilterState::expiresAt) : expiry.expiresAt());
    } else {
      arguments.add(
          state.filter(FilterState::isTemplate).isPresent()
              ? ""
              : "+" + idle.get().postponed().toMillis());
    }
  }

  /** Adds the fields of a new filter, except its expiry. */
  void putNew(Arguments arguments) {
    arguments.add("createdAt").add(createdAt.toEpochMilli());
    arguments.add("written").add("").add("next").add("").add("dropped").add("");
    arguments.add("definition").add(definition);
    arguments.add("version").add(version);
    arguments.add("home").add(content.keyName().value());
    arguments.add("incarnation").add(content.incarnation());
    arguments.add("generation").add(number);
    arguments.add("owner").add(owner);
  }

  private static boolean flag(Map<String, byte[]> fields, String name) {
    return switch (text(fields, name)) {
      case "" -> false;
      case "1" -> true;
      default -> throw new IllegalArgumentException("not a flag: " + name);
    };
  }

  /** Empty if the state does not name it, or not its segments. */
  static Optional<ContentId> content(Map<String, byte[]> fields) {
    try {
      var unused = Written.of(bytes(fields, "written"));
      return Optional.of(
          new ContentId(new FilterName(text(fields, "home")), text(fields, "incarnation")));
    } catch (IllegalArgumentException | BloomException malformed) {
      return Optional.empty();
    }
  }

  static Optional<String> optional(Map<String, byte[]> fields, String name) {
    return Optional.of(text(fields, name)).filter(text -> !text.isEmpty());
  }

  static String text(Map<String, byte[]> fields, String name) {
    return new String(bytes(fields, name), UTF_8);
  }

  /** A field, empty if it is missing. */
  static byte[] bytes(Map<String, byte[]> fields, String name) {
    return fields.getOrDefault(name, new byte[0]);
  }
}
