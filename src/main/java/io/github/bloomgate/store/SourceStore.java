package io.github.bloomgate.store;

import static io.github.bloomgate.threads.Await.await;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.StoredJson;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.source.LastRun;
import io.github.bloomgate.model.source.Source;
import io.github.bloomgate.model.source.SourceStatus;
import io.github.bloomgate.redis.Arguments;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.redis.RedisLink;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptCall;
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

/**
 * The sources of filters. Each method but {@link #find} is one script and blocks. Fails as {@link
 * ScriptRunner}; with WRONG_KEY_TYPE; and, except to renew or end a claim, with FILTER_NOT_FOUND or
 * SOURCE_NOT_FOUND. Thread-safe.
 */
@Singleton
public class SourceStore {

  /** The time without renewal after which another run may take over a claim. */
  public static final Duration LEASE = Duration.ofSeconds(60);

  private static final String RENEW = "RENEW";

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
    var key = Keys.source(name);
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

  /**
   * Reads the fields of a source; fails with FILTER_DAMAGED. Well-formed JSON that this instance
   * cannot read was written by another one.
   */
  public static SourceStatus read(FilterName name, Map<String, String> fields) {
    try {
      return parse(fields);
    } catch (JsonMappingException unknown) {
      throw RebuildErrors.sourceUnknown(name);
    } catch (JsonProcessingException | IllegalArgumentException | ArithmeticException malformed) {
      throw RebuildErrors.sourceDamaged(name, Keys.source(name));
    }
  }

  /**
   * The source and the result of its last run are JSON; the script that claims runs needs the other
   * fields.
   */
  private static SourceStatus parse(Map<String, String> fields) throws JsonProcessingException {
    var lastRun = given(fields, "lastRun");
    return new SourceStatus(
        json(given(fields, "source").orElseThrow(IllegalArgumentException::new), Source.class),
        moment(fields, "nextRunAt"),
        moment(fields, "runStartedAt")
            .map(
                startedAt ->
                    new SourceStatus.Run(
                        startedAt,
                        Math.toIntExact(StoredNumber.of(fields.get("attempt"))),
                        given(fields, "rebuild"))),
        lastRun.isPresent() ? Optional.of(json(lastRun.get(), LastRun.class)) : Optional.empty(),
        given(fields, "elementsBefore").stream().mapToLong(StoredNumber::of).findFirst());
  }

  private static <T> T json(String text, Class<T> type) throws JsonProcessingException {
    var read = StoredJson.MAPPER.readValue(text, type);
    if (read == null) {
      throw new IllegalArgumentException("the JSON is null");
    }
    return read;
  }

  private static Optional<Instant> moment(Map<String, String> fields, String name) {
    return given(fields, name).map(StoredNumber::of).map(Instant::ofEpochMilli);
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
    var reply = call(Script.ATTACH, name, new Arguments().add(definition).add(next));
    if (!reply.status().equals("OK")) {
      throw refusal(name, reply);
    }
  }

  public void release(FilterName name) {
    attach(name, "", Optional.empty());
  }

  /** Moves the next run of a source, unless its time has changed or a run has the claim. */
  public void reschedule(FilterName name, Optional<Instant> from, Optional<Instant> to) {
    var reply = call(Script.RESCHEDULE, name, new Arguments().add(from).add(to));
    if (!reply.status().equals("OK") && !reply.status().equals("CHANGED")) {
      throw refusal(name, reply);
    }
  }

  /** Claims the next run of a source for {@link #LEASE}. */
  public ClaimReply claim(FilterName name, String run, When when) {
    var reply = call(Script.CLAIM, name, claim(run, LEASE, when.name()));
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
   * @return the time in Redis; empty, without a change, if the run has lost the claim
   */
  public Optional<Instant> renew(FilterName name, String run) {
    return renew(name, claim(run, LEASE, RENEW));
  }

  /**
   * Lets another instance take over a run at once.
   *
   * @param attempt how many instances have died during the run; this one did not
   * @return the time in Redis; empty, without a change, if the run has lost the claim
   */
  public Optional<Instant> giveBack(FilterName name, String run, int attempt) {
    return renew(name, claim(run, Duration.ZERO, RENEW).add("attempt").add(attempt));
  }

  /**
   * Records the result of a run that does not commit, and ends its claim.
   *
   * @return false, without a change, if the run has lost the claim
   */
  public boolean ran(FilterName name, EndedRun run) {
    var arguments = claim(run.id(), Duration.ZERO, RENEW);
    run.put(arguments);
    return renew(name, arguments).isPresent();
  }

  private Optional<Instant> renew(FilterName name, Arguments arguments) {
    var reply = call(Script.CLAIM, name, arguments);
    return switch (reply.status()) {
      case "CLAIMED" -> Optional.of(Instant.ofEpochMilli(reply.number(1)));
      case "LOST", "GONE", "NONE" -> Optional.empty();
      default -> throw refusal(name, reply);
    };
  }

  private static Arguments claim(String run, Duration lease, String when) {
    return new Arguments().add(run).add(lease.toMillis()).add(when);
  }

  private ScriptReply call(Script script, FilterName name, Arguments arguments) {
    var keys = List.of(Keys.state(name), Keys.source(name));
    return await(scripts.send(new ScriptCall(script, Effect.WRITE, keys, arguments)));
  }

  private static BloomException refusal(FilterName name, ScriptReply reply) {
    return switch (reply.status()) {
      case "GONE" -> FilterErrors.notFound(name);
      case "NONE" -> RebuildErrors.sourceNotFound(name);
      case "DAMAGED" -> FilterErrors.damaged(name, Keys.state(name));
      case "WRONG_TYPE" -> FilterErrors.wrongKeyType(name, Keys.source(name));
      default -> reply.unexpectedStatus();
    };
  }
}
