package io.github.bloomgate.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.StoredJson;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.source.LastRun;
import io.github.bloomgate.model.source.Source;
import io.github.bloomgate.model.source.SourceStatus;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.redis.RedisLink;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptReply;
import io.github.bloomgate.redis.ScriptRunner;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The sources of filters. Each method but {@link #find} is one script and blocks. Fails as {@link
 * ScriptRunner}; with WRONG_KEY_TYPE; and, except to renew or end a claim, with FILTER_NOT_FOUND or
 * SOURCE_NOT_FOUND. Thread-safe.
 */
@Singleton
public class SourceStore {

  /** The time without renewal after which another run may take over a claim. */
  public static final Duration LEASE = Duration.ofSeconds(60);

  /** The fields of a claim, empty without one. */
  private static final List<String> CLAIM =
      List.of("run", "runStartedAt", "leasedUntil", "attempt", "rebuild");

  private final ScriptRunner scripts;
  private final RedisLink link;

  SourceStore(ScriptRunner scripts, RedisLink link) {
    this.scripts = scripts;
    this.link = link;
  }

  /**
   * The source of a filter. Fails with FILTER_DAMAGED, WRONG_KEY_TYPE.
   *
   * @param hasSource whether its state names one; otherwise this does not call Redis
   */
  public Uni<Optional<SourceStatus>> find(FilterName name, boolean hasSource) {
    var key = SlotKeys.source(name);
    return hasSource
        ? hash(link, name, key, Request.cmd(Command.HGETALL).arg(key))
            .map(
                reply ->
                    reply
                        .map(SourceStore::fields)
                        .filter(fields -> !fields.isEmpty())
                        .map(fields -> read(name, fields)))
        : Uni.createFrom().item(Optional.empty());
  }

  /** Reads the fields of a source; fails with FILTER_DAMAGED. */
  public static SourceStatus read(FilterName name, Map<String, String> fields) {
    try {
      return parse(fields);
    } catch (JsonProcessingException | IllegalArgumentException malformed) {
      throw FilterErrors.damaged(name, SlotKeys.source(name));
    }
  }

  /**
   * The source and the result of its last run are JSON; the script that claims runs needs the other
   * fields.
   */
  private static SourceStatus parse(Map<String, String> fields) throws JsonProcessingException {
    var lastRun = given(fields, "lastRun");
    return new SourceStatus(
        StoredJson.MAPPER.readValue(fields.getOrDefault("source", ""), Source.class),
        moment(fields, "nextRunAt"),
        moment(fields, "runStartedAt")
            .map(
                startedAt ->
                    new SourceStatus.Run(
                        startedAt,
                        Integer.parseInt(fields.get("attempt")),
                        given(fields, "rebuild"))),
        lastRun.isPresent()
            ? Optional.of(StoredJson.MAPPER.readValue(lastRun.get(), LastRun.class))
            : Optional.empty(),
        given(fields, "elementsBefore").stream().mapToLong(Long::parseLong).findFirst());
  }

  private static Optional<Instant> moment(Map<String, String> fields, String name) {
    return given(fields, name).map(Long::parseLong).map(Instant::ofEpochMilli);
  }

  /** A field that may be missing or empty. */
  private static Optional<String> given(Map<String, String> fields, String name) {
    return Optional.ofNullable(fields.get(name)).filter(value -> !value.isEmpty());
  }

  /** The reply of a hash to a command; empty if there is none. Fails with WRONG_KEY_TYPE. */
  static Uni<Optional<Response>> hash(RedisLink link, FilterName name, String key, Request read) {
    return link.send(Request.cmd(Command.TYPE).arg(key), Effect.READ)
        .map(Response::toString)
        .chain(
            type ->
                switch (type) {
                  case "none" -> Uni.createFrom().item(Optional.empty());
                  case "hash" -> link.send(read, Effect.READ).map(Optional::of);
                  default -> throw FilterErrors.wrongKeyType(name, key);
                });
  }

  private static Map<String, String> fields(Response reply) {
    var fields = new HashMap<String, String>();
    reply.getKeys().forEach(field -> fields.put(field, reply.get(field).toString(UTF_8)));
    return fields;
  }

  /** When a source may be claimed. */
  public enum When {
    /** At any time. */
    NOW,
    /** If it is due, or the run that has the claim died. */
    DUE
  }

  /**
   * Sets or replaces the source of a filter. The same definition changes nothing.
   *
   * @param definition empty to remove the source
   */
  public void attach(FilterName name, String definition, Optional<Instant> next) {
    var reply =
        call(Script.ATTACH, name, request -> request.arg(definition).arg(FilterStore.millis(next)));
    if (!reply.status().equals("OK")) {
      throw refusal(name, reply);
    }
  }

  public void release(FilterName name) {
    attach(name, "", Optional.empty());
  }

  /** Claims the next run of a source for {@link #LEASE}. */
  public ClaimReply claim(FilterName name, String run, When when) {
    var reply = claim(name, run, LEASE, when.name(), Map.of());
    return switch (reply.status()) {
      case "CLAIMED" -> claimed(reply);
      case "RUNNING", "NOT_DUE" ->
          new ClaimReply.Refused(
              reply.text(1).isEmpty()
                  ? Optional.empty()
                  : Optional.of(Instant.ofEpochMilli(reply.number(1))));
      default -> throw refusal(name, reply);
    };
  }

  private static ClaimReply claimed(ScriptReply reply) {
    var fields = new HashMap<String, String>();
    reply.fields(2).forEach((field, value) -> fields.put(field, new String(value, UTF_8)));
    return new ClaimReply.Claimed(Instant.ofEpochMilli(reply.number(1)), fields);
  }

  /**
   * Renews the claim of a run for {@link #LEASE}.
   *
   * @param incarnation the generation that the run loads; empty for none yet
   * @return the time in Redis; empty, without a change, if the run has lost the claim
   */
  public Optional<Instant> renew(FilterName name, String run, String incarnation) {
    return renew(
        name, run, LEASE, incarnation.isEmpty() ? Map.of() : Map.of("rebuild", incarnation));
  }

  /**
   * Records the result of a run, and when the source is read next.
   *
   * @return false, without a change, if the run has lost the claim
   */
  public boolean ran(FilterName name, String run, LastRun outcome, Optional<Instant> next) {
    var fields = new HashMap<String, String>();
    CLAIM.forEach(field -> fields.put(field, ""));
    fields.put("lastRun", StoredJson.write(outcome));
    if (outcome.failure().isEmpty()) {
      fields.put("elementsBefore", Long.toString(outcome.elements()));
    }
    fields.put("nextRunAt", FilterStore.millis(next));
    return renew(name, run, Duration.ZERO, fields).isPresent();
  }

  private Optional<Instant> renew(
      FilterName name, String run, Duration lease, Map<String, String> fields) {
    var reply = claim(name, run, lease, "RENEW", fields);
    return switch (reply.status()) {
      case "CLAIMED" -> Optional.of(Instant.ofEpochMilli(reply.number(1)));
      case "LOST", "GONE", "NONE" -> Optional.empty();
      default -> throw refusal(name, reply);
    };
  }

  private ScriptReply claim(
      FilterName name, String run, Duration lease, String when, Map<String, String> fields) {
    return call(
        Script.CLAIM,
        name,
        request -> {
          request.arg(run).arg(lease.toMillis()).arg(when);
          fields.forEach((field, value) -> request.arg(field).arg(value));
        });
  }

  private ScriptReply call(Script script, FilterName name, Consumer<Request> arguments) {
    return scripts.call(script, List.of(SlotKeys.state(name), SlotKeys.source(name)), arguments);
  }

  private static BloomException refusal(FilterName name, ScriptReply reply) {
    return switch (reply.status()) {
      case "GONE" -> FilterErrors.notFound(name);
      case "NONE" -> RebuildErrors.sourceNotFound(name);
      case "WRONG_TYPE" -> FilterErrors.wrongKeyType(name, SlotKeys.source(name));
      default -> reply.unexpectedStatus();
    };
  }
}
