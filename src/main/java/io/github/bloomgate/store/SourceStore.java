package io.github.bloomgate.store;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.Generation;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.source.LastRun;
import io.github.bloomgate.model.source.Source;
import io.github.bloomgate.model.source.SourceStatus;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptReply;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The sources of filters, and who reads them. Every method is one script on the filter's slot, and
 * so atomic. All times are by the clock of Redis.
 *
 * <p>All methods fail with {@link BloomException}: FILTER_NOT_FOUND, STORE_UNAVAILABLE,
 * STORE_OUTCOME_UNKNOWN, STORE_FULL, WRONG_KEY_TYPE; and where a source is read FILTER_DAMAGED.
 */
@ApplicationScoped
public class SourceStore {

  /** How long a run may go without renewing its claim before another takes it over. */
  public static final Duration LEASE = Duration.ofSeconds(60);

  private final FilterScripts scripts;

  SourceStore(FilterScripts scripts) {
    this.scripts = scripts;
  }

  /**
   * What was found.
   *
   * @param now the time
   * @param source the source, if the filter has one
   */
  public record Found(Instant now, Optional<SourceStatus> source) {}

  /** Reads the source of a filter. */
  public Uni<Found> find(FilterName name) {
    return scripts
        .run(Script.ORIGIN, Keys.ofSource(name), request -> {})
        .map(
            reply -> {
              var source =
                  switch (reply.status()) {
                    case "OK" -> Optional.of(read(name, reply.fields(2)));
                    case "NONE" -> Optional.<SourceStatus>empty();
                    default -> throw refusal(reply, name);
                  };
              return new Found(time(reply), source);
            });
  }

  /** Gives a filter a source, in place of one it may have. The same one again changes nothing. */
  public void attach(FilterName name, Source source, Optional<Instant> nextRunAt) {
    var reply =
        scripts.call(
            Script.ATTACH,
            Keys.ofSource(name),
            request -> {
              request.arg(orEmpty(nextRunAt));
              SourceFields.of(source).forEach(request::arg);
            });
    expectOk(reply, name);
  }

  /**
   * Takes the source of a filter away.
   *
   * @throws BloomException SOURCE_NOT_FOUND if it has none
   */
  public void detach(FilterName name) {
    expectOk(scripts.call(Script.DETACH, Keys.ofSource(name), request -> {}), name);
  }

  /** What came of an attempt to claim a run. */
  public sealed interface Claim {

    /**
     * It is the caller's.
     *
     * @param now when it was claimed
     * @param source the source as it was before, with the run that died, if one did
     */
    record Claimed(Instant now, SourceStatus source) implements Claim {}

    /**
     * There is nothing to run now.
     *
     * @param lookAgainAt when there may be; empty if not by itself
     * @param running whether another run lives
     */
    record Nothing(Optional<Instant> lookAgainAt, boolean running) implements Claim {}
  }

  /**
   * Claims the next run of a source for {@link #LEASE}.
   *
   * @param run a name of its own for the run
   * @param now whether to run though the source is not due
   * @throws BloomException SOURCE_NOT_FOUND
   */
  public Claim claim(FilterName name, String run, boolean now) {
    var reply =
        scripts.call(
            Script.CLAIM,
            Keys.ofSource(name),
            request -> request.arg(run).arg(LEASE.toMillis()).arg(now ? "1" : "0"));
    return switch (reply.status()) {
      case "CLAIMED" -> new Claim.Claimed(time(reply), read(name, reply.fields(2)));
      case "RUNNING" -> new Claim.Nothing(Optional.of(time(reply)), true);
      case "NOT_DUE" ->
          new Claim.Nothing(
              reply.text(1).isEmpty() ? Optional.empty() : Optional.of(time(reply)), false);
      default -> throw refusal(reply, name);
    };
  }

  /**
   * Renews the claim of a run.
   *
   * @param rebuild the generation it loads, once that is open
   * @return the time; empty if the run is not the one of the source any more
   */
  public Optional<Instant> renew(FilterName name, String run, Optional<Generation> rebuild) {
    var reply =
        scripts.call(
            Script.RENEW,
            Keys.ofSource(name),
            request ->
                request
                    .arg(run)
                    .arg(LEASE.toMillis())
                    .arg(rebuild.map(Generation::toString).orElse("")));
    return switch (reply.status()) {
      case "OK" -> Optional.of(time(reply));
      case "LOST", "GONE", "NONE" -> Optional.empty();
      default -> throw refusal(reply, name);
    };
  }

  /**
   * Records how a run ended.
   *
   * @return false if the run is not the one of the source any more; then nothing is recorded
   */
  public boolean ran(FilterName name, String run, LastRun outcome, Optional<Instant> nextRunAt) {
    var reply =
        scripts.call(
            Script.RAN,
            Keys.ofSource(name),
            request -> {
              request.arg(run).arg(orEmpty(nextRunAt));
              SourceFields.of(outcome).forEach(request::arg);
            });
    return switch (reply.status()) {
      case "OK" -> true;
      case "LOST", "GONE", "NONE" -> false;
      default -> throw refusal(reply, name);
    };
  }

  private static SourceStatus read(FilterName name, Map<String, String> fields) {
    try {
      return SourceFields.read(fields);
    } catch (IllegalArgumentException | BloomException malformed) {
      throw FilterErrors.damaged(name, Keys.ofSource(name).get(1));
    }
  }

  private static Instant time(ScriptReply reply) {
    return Instant.ofEpochMilli(reply.number(1));
  }

  private static String orEmpty(Optional<Instant> moment) {
    return moment.map(at -> Long.toString(at.toEpochMilli())).orElse("");
  }

  private static void expectOk(ScriptReply reply, FilterName name) {
    if (!reply.status().equals("OK")) {
      throw refusal(reply, name);
    }
  }

  private static RuntimeException refusal(ScriptReply reply, FilterName name) {
    return switch (reply.status()) {
      case "GONE" -> FilterErrors.notFound(name);
      case "NONE" -> RebuildErrors.sourceNotFound(name);
      default -> Refusals.of(reply, name, Keys.ofSource(name));
    };
  }
}
