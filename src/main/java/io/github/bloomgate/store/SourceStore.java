package io.github.bloomgate.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.FilterErrors;
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
 * ScriptRunner}. Thread-safe.
 */
@Singleton
public class SourceStore {

  /** The fields of a claim, empty without one. */
  private static final List<String> CLAIM =
      List.of("run", "runStartedAt", "leasedUntil", "attempt", "rebuild");

  private final ScriptRunner scripts;
  private final RedisLink link;

  SourceStore(ScriptRunner scripts, RedisLink link) {
    this.scripts = scripts;
    this.link = link;
  }

  /** Reads the fields of a source; none if there is none. Fails with WRONG_KEY_TYPE. */
  public Uni<Map<String, String>> find(FilterName name) {
    return hash(link, name, SlotKeys.source(name));
  }

  /** Reads a hash; no fields if there is none. Fails with WRONG_KEY_TYPE. */
  static Uni<Map<String, String>> hash(RedisLink link, FilterName name, String key) {
    return link.send(Request.cmd(Command.TYPE).arg(key), Effect.READ)
        .map(Response::toString)
        .chain(
            type ->
                switch (type) {
                  case "none" -> Uni.createFrom().item(Map.of());
                  case "hash" ->
                      link.send(Request.cmd(Command.HGETALL).arg(key), Effect.READ)
                          .map(SourceStore::fields);
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
    DUE,
    /** If the run already has the claim, which is renewed. */
    RENEW
  }

  /**
   * Sets or replaces the source of a filter. The same definition changes nothing.
   *
   * @param definition not empty
   */
  public SourceReply attach(FilterName name, String definition, Optional<Instant> next) {
    return call(
        Script.ATTACH, name, request -> request.arg(definition).arg(FilterStore.millis(next)));
  }

  /** Removes the source of a filter. */
  public SourceReply release(FilterName name) {
    return call(Script.ATTACH, name, request -> request.arg("").arg(""));
  }

  /**
   * Claims the next run of a source, or renews a claim.
   *
   * @param lease the time after which another run may take over
   * @param incarnation the generation that the run loads; empty for none yet
   */
  public SourceReply claim(
      FilterName name, String run, Duration lease, When when, String incarnation) {
    return claim(
        name, run, lease, when, incarnation.isEmpty() ? Map.of() : Map.of("rebuild", incarnation));
  }

  private SourceReply claim(
      FilterName name, String run, Duration lease, When when, Map<String, String> fields) {
    return call(
        Script.CLAIM,
        name,
        request -> {
          request.arg(run).arg(lease.toMillis()).arg(when.name());
          fields.forEach((field, value) -> request.arg(field).arg(value));
        });
  }

  /** Records the result of a run, and when the source is read next. */
  public SourceReply ran(
      FilterName name, String run, Optional<Instant> next, Map<String, String> outcome) {
    var fields = new HashMap<>(outcome);
    CLAIM.forEach(field -> fields.put(field, ""));
    fields.put("nextRunAt", FilterStore.millis(next));
    var reply = claim(name, run, Duration.ZERO, When.RENEW, fields);
    return reply instanceof SourceReply.Claimed ? new SourceReply.Done() : reply;
  }

  private SourceReply call(Script script, FilterName name, Consumer<Request> arguments) {
    var keys = List.of(SlotKeys.state(name), SlotKeys.source(name));
    var reply = scripts.call(script, keys, arguments);
    return switch (reply.status()) {
      case "OK" -> new SourceReply.Done();
      case "CLAIMED" -> claimed(reply);
      case "RUNNING" -> new SourceReply.Running(Instant.ofEpochMilli(reply.number(1)));
      case "NOT_DUE" ->
          new SourceReply.NotDue(
              reply.text(1).isEmpty()
                  ? Optional.empty()
                  : Optional.of(Instant.ofEpochMilli(reply.number(1))));
      case "LOST" -> new SourceReply.Lost();
      case "GONE" -> new SourceReply.Gone();
      case "NONE" -> new SourceReply.NoSource();
      case "WRONG_TYPE" -> new SourceReply.WrongType();
      default -> throw reply.unexpectedStatus();
    };
  }

  private static SourceReply claimed(ScriptReply reply) {
    var fields = new HashMap<String, String>();
    for (var i = 2; i < reply.size(); i += 2) {
      fields.put(reply.text(i), reply.text(i + 1));
    }
    return new SourceReply.Claimed(Instant.ofEpochMilli(reply.number(1)), fields);
  }
}
