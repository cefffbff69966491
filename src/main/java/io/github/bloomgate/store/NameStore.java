package io.github.bloomgate.store;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.StoreErrors;
import io.github.bloomgate.redis.Arguments;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.redis.RedisLink;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptCall;
import io.github.bloomgate.redis.ScriptReply;
import io.github.bloomgate.redis.ScriptRunner;
import io.vertx.redis.client.Command;
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
 * {@link ScriptRunner}, and with WRONG_KEY_TYPE. Thread-safe.
 */
@Singleton
public class NameStore {

  /** Instead of the entry read: replaces any entry, but keeps its bytes if it has more. */
  public static final String ANY = "*";

  private static final List<String> KEYS = List.of(Keys.names(), Keys.usage(), Keys.deadlines());
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
   * @param checkBy the latest time to check the entry
   */
  public record Usage(FilterName name, long bytes, String owner, Optional<Instant> checkBy) {}

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
    var arguments =
        new Arguments()
            .add(usage.name.value())
            .add(seen)
            .add(usage.bytes == REMOVED ? "" : Long.toString(usage.bytes))
            .add(usage.owner)
            .add(usage.checkBy)
            .add(way)
            .add(ofOwner.maxFilters())
            .add(ofOwner.maxBytes())
            .add(ofAll.maxFilters())
            .add(ofAll.maxBytes())
            .add(oldName)
            .add(oldSeen);
    var call = new ScriptCall(Script.CATALOGUE, Effect.WRITE, KEYS, arguments);
    return read(usage.name, await(scripts.send(call)));
  }

  private static NameReply read(FilterName name, ScriptReply reply) {
    return switch (reply.status()) {
      case "OK", "HELD" -> new NameReply.Done(reply.text(1), reply.status().equals("HELD"));
      case "CHANGED" -> new NameReply.Differs(reply.text(1));
      case "FILTERS", "BYTES" ->
          new NameReply.OverQuota(
              reply.status().equals("FILTERS"),
              reply.number(1) == 1,
              reply.number(2),
              reply.number(3),
              IntStream.range(FIRST_DUE, reply.size())
                  .mapToObj(reply::text)
                  .map(NameStore::name)
                  .toList());
      case "RESERVED" ->
          throw BloomException.of(
              ErrorCode.FILTER_CHANGED,
              "Another client is creating the filter '%s'. Nothing was done; repeat the request."
                  .formatted(name));
      case "WRONG_TYPE" -> throw StoreErrors.wrongKeyType(reply.text(1));
      default -> throw reply.unexpectedStatus();
    };
  }

  /** A member of the catalogue, which another program may have added. */
  private static FilterName name(String member) {
    try {
      return new FilterName(member);
    } catch (BloomException invalid) {
      throw StoreErrors.wrongKeyType(Keys.names());
    }
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
    var names =
        new PlainRead(link, Keys.names())
            .send(
                Command.ZRANGE,
                request ->
                    request
                        .arg(first)
                        .arg(behind(prefix))
                        .arg("BYLEX")
                        .arg("LIMIT")
                        .arg(0)
                        .arg(limit));
    return await(names).stream().map(name -> name(name.toString())).toList();
  }

  /** The entries of some names, in their order; empty for none. */
  public List<String> entries(List<FilterName> names) {
    if (names.isEmpty()) {
      return List.of();
    }
    var entries =
        new PlainRead(link, Keys.usage())
            .send(
                Command.HMGET,
                request -> {
                  names.forEach(name -> request.arg(name.value()));
                  return request;
                });
    return await(entries).stream().map(entry -> Objects.toString(entry, "")).toList();
  }

  public long count(List<String> prefixes) {
    return prefixes.stream().mapToLong(this::count).sum();
  }

  private long count(String prefix) {
    var counted =
        new PlainRead(link, Keys.names())
            .send(Command.ZLEXCOUNT, request -> request.arg("[" + prefix).arg(behind(prefix)));
    return await(counted).toLong();
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
