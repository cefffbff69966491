package io.github.bloomgate.store;

import static io.github.bloomgate.threads.Await.await;
import static java.util.stream.Collectors.toMap;

import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.Generation;
import io.github.bloomgate.model.Rebuild;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.SeveralSlotsException;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptReply;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Filters as wholes. Every method is one script on the filter's first segment, which is the
 * authority on the filter, and so atomic; the later segments are in {@link SegmentStore}.
 *
 * <p>All methods fail with {@link BloomException}: STORE_UNAVAILABLE, STORE_OUTCOME_UNKNOWN,
 * STORE_FULL, and where a filter is read FILTER_DAMAGED, WRONG_KEY_TYPE and KEY_MISMATCH. Those
 * that take a {@link Filter} fail with {@link StaleFilterException} if it is not the live one any
 * more.
 */
@ApplicationScoped
public class FilterStore {

  private final FilterScripts scripts;
  private final HashSecrets secrets;
  private final NamedFilterScripts named;

  FilterStore(FilterScripts scripts, HashSecrets secrets) {
    this.scripts = scripts;
    this.secrets = secrets;
    this.named = new NamedFilterScripts(scripts);
  }

  /**
   * Creates a filter with its first segment in full, empty.
   *
   * @return false if the name is taken, or part of another filter is in the way
   */
  public boolean create(Filter filter) {
    var shape = filter.shape();
    var reply =
        scripts.call(
            Script.CREATE,
            Keys.ofFilter(filter.name()),
            request -> {
              request.arg(shape.segmentBits());
              request.arg(deadline(filter.expiresAt()));
              request.arg(filter.generation().incarnation());
              request.arg(filter.segments());
              FilterState.newFields(filter).forEach(request::arg);
            });
    return switch (reply.status()) {
      case "CREATED" -> true;
      case "EXISTS" -> false;
      default -> throw refusal(reply, filter.name());
    };
  }

  /** Reads a filter; empty if there is none. */
  public Uni<Optional<StoredFilter>> find(FilterName name) {
    return named
        .run(Script.FIND, name, Keys.ofFound(name), request -> {})
        .map(
            ran ->
                switch (ran.reply().status()) {
                  case "OK" -> Optional.of(StoredFilter.read(name, ran.reply(), 1, secrets));
                  case "GONE" -> Optional.empty();
                  default -> throw ran.refusal();
                });
  }

  /** Whether there is a filter, whole or damaged. */
  public Uni<Boolean> exists(FilterName name) {
    return scripts
        .run(Script.DESCRIBE, Keys.ofFirstSegment(name), request -> request.arg(""))
        .map(reply -> !reply.status().equals("GONE"));
  }

  /**
   * Confirms that a filter is still the live one under its name.
   *
   * @return the generation that an open rebuild loads, if there is one
   */
  public Uni<Optional<Generation>> verify(Filter filter) {
    return scripts
        .run(
            Script.VERIFY,
            Keys.ofSegment(filter, 0),
            request -> request.arg(filter.generation().toString()))
        .map(
            reply -> {
              expectOk(reply, filter);
              return FilterState.next(reply, 1);
            });
  }

  /**
   * Empties a filter; its later segments follow when they are reconciled or touched.
   *
   * @throws BloomException REBUILD_IN_PROGRESS while a rebuild is open
   */
  public void clear(Filter filter) {
    var reply =
        scripts.call(
            Script.CLEAR,
            Keys.ofFilter(filter),
            request -> {
              request.arg(filter.generation().toString());
              request.arg(filter.generation().next().toString());
            });
    expectOk(reply, filter);
  }

  /**
   * Sets a filter's deadline, or removes it; its later segments follow when they are reconciled.
   */
  public void expire(Filter filter, Optional<Instant> expiresAt) {
    var reply =
        scripts.call(
            Script.EXPIRE,
            Keys.ofFilter(filter),
            request -> {
              request.arg(filter.generation().toString());
              request.arg(deadline(expiresAt));
            });
    expectOk(reply, filter);
  }

  /**
   * Deletes a filter, whole or damaged.
   *
   * @param andAdoptedKey whether a library's bitmap that it has adopted is deleted too, with the
   *     hash beside it; they stay otherwise
   * @return false if there is none
   * @throws BloomException KEY_MISMATCH if a library's bitmap is to be deleted, but is another by
   *     now
   */
  public boolean delete(FilterName name, boolean andAdoptedKey) {
    return await(
            named.run(
                Script.DELETE,
                name,
                Keys.ofFilter(name),
                request -> request.arg("").arg(andAdoptedKey ? "1" : "0")))
        .succeeded();
  }

  /**
   * Deletes a filter if it still is the live one under its name, and whole; lets go of a bitmap
   * that it has adopted.
   *
   * @return false if there is none of that name
   */
  public boolean delete(Filter filter) {
    var reply =
        scripts.call(
            Script.DELETE,
            Keys.ofFilter(filter),
            request -> request.arg(filter.generation().toString()).arg("0"));
    return switch (reply.status()) {
      case "OK" -> true;
      case "GONE" -> false;
      default -> throw refusal(reply, filter);
    };
  }

  /**
   * Renames a filter, deadline and content included, in one step for its readers. A bitmap that it
   * has adopted stays under the library's key. Fails with {@link SeveralSlotsException} if the
   * names are in different slots of a Redis Cluster.
   *
   * @param replace whether a filter that bears the new name is dropped for it
   * @return false if there is no filter of the old name
   * @throws BloomException FILTER_EXISTS if the new name is taken and not to be replaced
   */
  public boolean rename(FilterName from, FilterName to, boolean replace) {
    var keys = new ArrayList<>(Keys.ofFilter(from));
    keys.addAll(Keys.ofFilter(to));
    var ran =
        await(named.run(Script.RENAME, from, keys, request -> request.arg(replace ? "1" : "0")));
    return switch (ran.reply().status()) {
      case "EXISTS" -> throw FilterErrors.nameTaken(to);
      case "TARGET_WRONG_TYPE" -> throw refusal(ran.reply(), to);
      default -> ran.succeeded();
    };
  }

  /** Reads what there is to reconcile under a name. */
  public Uni<Outline> outline(FilterName name) {
    return scripts
        .run(Script.OUTLINE, Keys.ofOutline(name), request -> {})
        .map(
            reply -> {
              expectOk(reply, name);
              var fields = reply.fields(1);
              var filter =
                  fields.isEmpty()
                      ? Optional.<Filter>empty()
                      : Optional.of(FilterState.read(name, fields, secrets));
              return new Outline(
                  filter,
                  RebuildStore.read(name, reply.fields(3), secrets),
                  segmentSets(reply.fields(2)),
                  moves(reply.fields(4), name));
            });
  }

  private static List<Move> moves(Map<String, String> fields, FilterName to) {
    return fields.entrySet().stream()
        .map(move -> Move.noted(move.getKey(), move.getValue(), to))
        .toList();
  }

  private static Map<String, Integer> segmentSets(Map<String, String> fields) {
    return fields.entrySet().stream()
        .collect(toMap(Map.Entry::getKey, set -> Integer.valueOf(set.getValue())));
  }

  /**
   * Notes that the later segments of a filter were reconciled and that sets of segments were freed.
   *
   * @param reconciled what there was when the reconciling began
   * @return false if it has changed again since
   */
  public boolean finish(FilterName name, Outline reconciled, Collection<String> freed) {
    var reply =
        scripts.call(
            Script.FINISH,
            Keys.ofFilter(name),
            request -> {
              var filter = reconciled.filter();
              var next = reconciled.rebuild().map(Rebuild::next);
              request.arg(filter.map(live -> live.generation().toString()).orElse(""));
              request.arg(filter.map(live -> Long.toString(live.revision())).orElse(""));
              request.arg(next.map(loading -> loading.generation().toString()).orElse(""));
              freed.forEach(request::arg);
            });
    return switch (reply.status()) {
      case "OK" -> true;
      case "CHANGED" -> false;
      default -> throw refusal(reply, name);
    };
  }

  /** A deadline as the scripts take it: Unix milliseconds, 0 for none. */
  static long deadline(Optional<Instant> expiresAt) {
    return expiresAt.map(Instant::toEpochMilli).orElse(0L);
  }

  private static void expectOk(ScriptReply reply, FilterName name) {
    if (!reply.status().equals("OK")) {
      throw refusal(reply, name);
    }
  }

  private static RuntimeException refusal(ScriptReply reply, FilterName name) {
    return Refusals.of(reply, name, Keys.ofFilter(name));
  }

  private static void expectOk(ScriptReply reply, Filter filter) {
    if (!reply.status().equals("OK")) {
      throw refusal(reply, filter);
    }
  }

  private static RuntimeException refusal(ScriptReply reply, Filter filter) {
    return Refusals.of(reply, filter.name(), Keys.ofFilter(filter));
  }
}
