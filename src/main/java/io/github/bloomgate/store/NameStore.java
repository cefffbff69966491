package io.github.bloomgate.store;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.redis.RedisLink;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptReply;
import io.github.bloomgate.redis.ScriptRunner;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The catalogue of all names in lexicographic order, with the totals of each owner and of all
 * filters. The states of the filters are authoritative: a wrong entry is replaced, and the names of
 * expired filters may still be listed. Each change is one script. All methods block. Fails as
 * {@link ScriptRunner}, and changes with WRONG_KEY_TYPE. Thread-safe.
 */
@Singleton
public class NameStore {

  /** Instead of the entry read: replaces any entry, but keeps its bytes if it has more. */
  public static final String ANY = "*";

  private static final List<String> KEYS =
      List.of(SlotKeys.names(), SlotKeys.usage(), SlotKeys.deadlines());
  private static final int FIRST_DUE = 4;
  private static final long REMOVED = -1;
  private static final String KEEP = "KEEP";

  private final ScriptRunner scripts;
  private final RedisLink link;

  NameStore(ScriptRunner scripts, RedisLink link) {
    this.scripts = scripts;
    this.link = link;
  }

  /**
   * A filter as the catalogue counts it.
   *
   * @param bytes the size when all its segments exist
   * @param owner the API key that created it; empty for none
   * @param deadline the latest time to check the entry
   */
  public record Usage(FilterName name, long bytes, String owner, Optional<Instant> deadline) {}

  /**
   * Adds a name or replaces its entry, before the filter is created or enlarged. Fails with
   * FILTER_CHANGED while another owner creates a filter of that name, so that neither owner exceeds
   * a quota.
   *
   * @param seen the entry the caller has read; empty for none; {@link #ANY}
   * @param grace the time for which it is a reservation; afterwards it must be checked
   */
  public NameReply reserve(String seen, Usage usage, Duration grace, Quota ofOwner, Quota ofAll) {
    return call(seen, usage, Long.toString(grace.toMillis()), ofOwner, ofAll, "", "");
  }

  /**
   * Adds an existing filter, regardless of quotas.
   *
   * @param seen the entry that the caller read before the filter; empty for none
   * @param keepsReservation whether to leave the entry if another caller may be about to enlarge
   *     the filter
   */
  public NameReply confirm(String seen, Usage usage, boolean keepsReservation) {
    return call(seen, usage, keepsReservation ? KEEP : "", Quota.NONE, Quota.NONE, "", "");
  }

  /** Also removes the old name after a rename. Changes nothing if either entry has changed. */
  public NameReply confirm(String seen, Usage usage, FilterName oldName, String oldSeen) {
    return call(seen, usage, "", Quota.NONE, Quota.NONE, oldName.value(), oldSeen);
  }

  /**
   * Removes a name, unless another caller changed its entry.
   *
   * @param keepsReservation whether to keep it if its filter may be about to be created
   */
  public NameReply leave(FilterName name, String seen, boolean keepsReservation) {
    var nothing = new Usage(name, REMOVED, "", Optional.empty());
    return call(seen, nothing, keepsReservation ? KEEP : "", Quota.NONE, Quota.NONE, "", "");
  }

  private NameReply call(
      String seen,
      Usage usage,
      String way,
      Quota ofOwner,
      Quota ofAll,
      String oldName,
      String oldSeen) {
    return read(
        usage.name,
        scripts.call(
            Script.CATALOGUE,
            KEYS,
            request ->
                request
                    .arg(usage.name.value())
                    .arg(seen)
                    .arg(usage.bytes == REMOVED ? "" : Long.toString(usage.bytes))
                    .arg(usage.owner)
                    .arg(FilterStore.millis(usage.deadline))
                    .arg(way)
                    .arg(ofOwner.maxFilters())
                    .arg(ofOwner.maxBytes())
                    .arg(ofAll.maxFilters())
                    .arg(ofAll.maxBytes())
                    .arg(oldName)
                    .arg(oldSeen)));
  }

  private static NameReply read(FilterName name, ScriptReply reply) {
    return switch (reply.status()) {
      case "OK", "HELD" -> new NameReply.Done(reply.text(1), reply.status().equals("HELD"));
      case "CHANGED" -> new NameReply.Changed(reply.text(1));
      case "FILTERS", "BYTES" ->
          new NameReply.OverQuota(
              reply.status().equals("FILTERS"),
              reply.number(1) == 1,
              reply.number(2),
              reply.number(3),
              IntStream.range(FIRST_DUE, reply.size())
                  .mapToObj(reply::text)
                  .map(FilterName::new)
                  .toList());
      case "RESERVED" ->
          throw BloomException.of(
              ErrorCode.FILTER_CHANGED,
              "Another client is creating the filter '%s'. Nothing was done; repeat the request."
                  .formatted(name));
      case "WRONG_TYPE" -> throw FilterErrors.wrongKeyType(name, SlotKeys.usage());
      default -> throw reply.unexpectedStatus();
    };
  }

  /**
   * Lists names in order.
   *
   * @param prefixes in order; none begins with another
   * @param after only names greater than this one
   */
  public List<FilterName> page(List<String> prefixes, Optional<FilterName> after, int limit) {
    var names = new ArrayList<FilterName>();
    for (var prefix : prefixes) {
      if (names.size() < limit) {
        names.addAll(page(prefix, after, limit - names.size()));
      }
    }
    return names;
  }

  private List<FilterName> page(String prefix, Optional<FilterName> after, int limit) {
    var first =
        after
            .filter(name -> name.value().compareTo(prefix) >= 0)
            .map(name -> "(" + name)
            .orElse("[" + prefix);
    var request =
        Request.cmd(Command.ZRANGE)
            .arg(SlotKeys.names())
            .arg(first)
            .arg(behind(prefix))
            .arg("BYLEX")
            .arg("LIMIT")
            .arg(0)
            .arg(limit);
    return await(link.send(request, Effect.READ)).stream()
        .map(name -> new FilterName(name.toString()))
        .toList();
  }

  /** The entries of some names, in their order; empty for none. */
  public List<String> entries(List<FilterName> names) {
    if (names.isEmpty()) {
      return List.of();
    }
    var request = Request.cmd(Command.HMGET).arg(SlotKeys.usage());
    names.forEach(name -> request.arg(name.value()));
    return await(link.send(request, Effect.READ)).stream()
        .map(entry -> Objects.toString(entry, ""))
        .toList();
  }

  public long count(List<String> prefixes) {
    return prefixes.stream().mapToLong(this::count).sum();
  }

  private long count(String prefix) {
    var request =
        Request.cmd(Command.ZLEXCOUNT).arg(SlotKeys.names()).arg("[" + prefix).arg(behind(prefix));
    return await(link.send(request, Effect.READ)).toLong();
  }

  /** The end of a range. Names are ASCII, so 0xff sorts after all names with the prefix. */
  private static byte[] behind(String prefix) {
    var end = new byte[prefix.length() + 2];
    end[0] = '(';
    for (var i = 0; i < prefix.length(); i++) {
      end[i + 1] = (byte) prefix.charAt(i);
    }
    end[prefix.length() + 1] = (byte) 0xff;
    return end;
  }
}
