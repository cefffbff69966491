package io.github.bloomgate.store;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptReply;
import io.github.bloomgate.redis.ScriptRunner;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Request;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/**
 * How many filters there are of some names, and how many bytes their bitmaps take, in Redis: for
 * all instances, and exact however many ask at once. What is about to be made is reserved before,
 * so that never less is counted than there is; what has vanished by itself counts until somebody
 * looks, see {@link UsageCount}.
 *
 * <p>All methods fail with {@link BloomException}: STORE_UNAVAILABLE, STORE_OUTCOME_UNKNOWN,
 * STORE_FULL.
 */
@ApplicationScoped
public class UsageTotals {

  /**
   * How long a reservation counts for sure. The instance that holds it has long begun by then, or
   * died.
   */
  private static final Duration LEASE = Duration.ofMinutes(1);

  private static final int NAMES_PER_CALL = 500;

  private final ScriptRunner scripts;

  UsageTotals(ScriptRunner scripts) {
    this.scripts = scripts;
  }

  /**
   * How much there may be of all names that begin with one of some prefixes.
   *
   * @param prefixes in order, none of which begins with another
   * @param maxFilters 0 for any number
   * @param maxBytes 0 for any
   */
  public record Limit(List<String> prefixes, long maxFilters, long maxBytes) {}

  /**
   * What a name is about to take.
   *
   * @param bytes as much as it takes when all is made
   * @param counted whether the name counted already: what was made may have taken the place of more
   * @param at when it was reserved, as {@link System#nanoTime()} counts
   */
  public record Reservation(FilterName name, String token, long bytes, boolean counted, long at) {

    /** Whether so much time is left that what is begun now is done before others drop it. */
    public boolean isFresh() {
      return System.nanoTime() - at < LEASE.toNanos() / 3;
    }
  }

  /** What became of an attempt to reserve. */
  public sealed interface Attempt {

    /** It is reserved. */
    record Reserved(Reservation reservation) implements Attempt {}

    /** There are filters that nobody has counted. */
    record Uncounted() implements Attempt {}

    /** A limit, by its index, allows no more than these filters. */
    record TooManyFilters(int limit, long filters) implements Attempt {}

    /** A limit, by its index, does not allow so many bytes more than are taken. */
    record TooManyBytes(int limit, long more, long taken) implements Attempt {}
  }

  /** Reserves bytes for a name, and the name itself, as far as limits allow. */
  public Attempt reserve(FilterName name, long bytes, List<Limit> limits) {
    return reserve(name, bytes, "", limits);
  }

  /** Reserves as much for a name as another takes, whatever the limits. */
  public Attempt reserveAs(FilterName name, FilterName other) {
    return reserve(name, 0, other.value(), List.of());
  }

  private Attempt reserve(FilterName name, long bytes, String like, List<Limit> limits) {
    while (true) {
      // Before the call: it counts for longer there than it does here.
      var at = System.nanoTime();
      var token = randomId();
      var reply =
          call(
              Script.RESERVE,
              request -> {
                request.arg(name.value()).arg(token).arg(bytes).arg(like).arg(LEASE.toMillis());
                for (var limit : limits) {
                  request
                      .arg(limit.maxFilters())
                      .arg(limit.maxBytes())
                      .arg(limit.prefixes().size());
                  limit.prefixes().forEach(request::arg);
                }
              });
      if (!reply.status().equals("TOTAL")) {
        return attempt(reply, name, token, at);
      }
      addUp(reply.text(1));
    }
  }

  private static Attempt attempt(ScriptReply reply, FilterName name, String token, long at) {
    return switch (reply.status()) {
      case "OK" ->
          new Attempt.Reserved(
              new Reservation(name, token, reply.number(1), reply.number(2) == 1, at));
      case "UNKNOWN" -> new Attempt.Uncounted();
      case "FILTERS" -> new Attempt.TooManyFilters((int) reply.number(1), reply.number(2));
      case "BYTES" ->
          new Attempt.TooManyBytes((int) reply.number(1), reply.number(2), reply.number(3));
      default -> throw reply.unexpectedStatus();
    };
  }

  private void addUp(String prefix) {
    while (addUp(prefix, NAMES_PER_CALL)) {}
  }

  /** Adds up what so many names take that begin with a prefix; false if that were all. */
  boolean addUp(String prefix, int names) {
    var reply = call(Script.TOTAL, request -> request.arg(prefix).arg(names));
    return switch (reply.status()) {
      case "OK" -> false;
      case "MORE" -> true;
      default -> throw reply.unexpectedStatus();
    };
  }

  /** Notes that what was reserved was made. */
  public void made(Reservation reservation) {
    call(
            Script.MADE,
            request ->
                request
                    .arg(reservation.name().value())
                    .arg(reservation.token())
                    .arg(reservation.bytes()))
        .requireOk();
  }

  /** The names that begin with a prefix, from one on, and the numbers of their last changes. */
  Map<String, String> counted(String prefix, Optional<String> after) {
    return counted(
        request ->
            request
                .arg(after.map(name -> "(" + name).orElse("[" + prefix))
                .arg(Catalogue.behind(prefix))
                .arg(NAMES_PER_CALL));
  }

  /** The numbers of the last changes of names; 0 for one that does not count. */
  Map<String, String> counted(List<FilterName> names) {
    return counted(
        request -> {
          request.arg("").arg("").arg("");
          names.forEach(name -> request.arg(name.value()));
        });
  }

  private Map<String, String> counted(Consumer<Request> arguments) {
    return call(Script.COUNTED, arguments).requireOk().fields(1);
  }

  /**
   * Notes what there is under a name.
   *
   * @param change as {@link #counted} told it before anybody looked
   * @param bytes what it takes; empty if there is nothing, {@code =} for as much as before
   * @param token of a reservation that is not needed any more; empty for none
   * @return false if it has changed since
   */
  Uni<Boolean> recount(FilterName name, String change, String bytes, String token) {
    return scripts
        .run(
            Script.RECOUNT,
            Keys.USAGE,
            request -> request.arg(name.value()).arg(change).arg(bytes).arg(token))
        .map(
            reply ->
                switch (reply.status()) {
                  case "OK" -> true;
                  case "CHANGED" -> false;
                  default -> throw reply.unexpectedStatus();
                });
  }

  /** Begins to count all filters; answers the id to end it with, or nothing if all are counted. */
  Optional<String> beginCount() {
    return tally(randomId(), false);
  }

  /** Ends the counting; answers another id if it has to be done again. */
  Optional<String> endCount(String id) {
    return tally(id, true);
  }

  private Optional<String> tally(String id, boolean isEnd) {
    var reply = call(Script.TALLY, request -> request.arg(id).arg(isEnd ? "1" : "0"));
    return switch (reply.status()) {
      case "OK" -> Optional.of(reply.text(1));
      case "READY" -> Optional.empty();
      default -> throw reply.unexpectedStatus();
    };
  }

  private ScriptReply call(Script script, Consumer<Request> arguments) {
    return scripts.call(script, Keys.USAGE, arguments);
  }

  private static String randomId() {
    return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
  }
}
