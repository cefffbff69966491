package io.github.bloomgate.store;

import static io.github.bloomgate.store.FilterState.required;

import io.github.bloomgate.config.secret.HashSecrets;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.Generation;
import io.github.bloomgate.model.Rebuild;
import io.github.bloomgate.model.SegmentCounts;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.error.SeveralSlotsException;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptReply;
import io.github.bloomgate.store.Intents.Intent;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Rebuilds: generations that are loaded beside the live one. Every method is one script on the
 * filter's slot, and so atomic; elements go to the next generation through {@link SegmentStore}.
 *
 * <p>All methods fail with {@link BloomException}: STORE_UNAVAILABLE, STORE_OUTCOME_UNKNOWN,
 * STORE_FULL, WRONG_KEY_TYPE.
 */
@ApplicationScoped
public class RebuildStore {

  /** Segments of both generations of which one script takes some milliseconds. */
  private static final int MOST_SEGMENTS = 600;

  /** Where the counts of later segments begin in the answer to a commit. */
  private static final int COUNTS = 4;

  private final FilterScripts scripts;
  private final HashSecrets secrets;

  RebuildStore(FilterScripts scripts, HashSecrets secrets) {
    this.scripts = scripts;
    this.secrets = secrets;
  }

  /**
   * Opens a rebuild of a filter. Fails with {@link StaleFilterException} if it is not the live one
   * any more.
   *
   * @param next its {@link Filter#successor}
   * @param patience how long it may go without a load before it counts as abandoned
   * @throws BloomException REBUILD_IN_PROGRESS if one is open, FILTER_NOT_READY if the filter is
   *     still being created
   */
  public void open(Filter live, Filter next, Duration patience) {
    open(live.generation().toString(), next, patience);
  }

  /**
   * Opens a rebuild that shall become a filter, hidden until then.
   *
   * @param next a {@link Filter#toCome}
   * @throws BloomException REBUILD_IN_PROGRESS if one is open under this name, FILTER_EXISTS if
   *     there is a filter
   */
  public void openNew(Filter next, Duration patience) {
    open("", next, patience);
  }

  private void open(String live, Filter next, Duration patience) {
    var shape = next.shape();
    var reply =
        scripts.call(
            Script.OPEN,
            Keys.ofFilter(next),
            request -> {
              request.arg(live);
              request.arg(next.generation().toString());
              request.arg(next.generation().incarnation());
              request.arg(next.segments());
              request.arg(shape.segmentBits());
              request.arg(patience.toMillis());
              FilterState.newFields(next).forEach(request::arg);
            });
    switch (reply.status()) {
      case "OK" -> {}
      case "EXISTS" -> throw FilterErrors.nameTaken(next.name());
      default -> throw refusal(reply, next);
    }
  }

  /** Reads the rebuild that is open under a name; empty if there is none that is whole. */
  public Uni<Optional<Rebuild>> find(FilterName name) {
    return scripts
        .run(Script.DESCRIBE, Keys.ofNextFirstSegment(name), request -> request.arg(""))
        .map(
            reply ->
                switch (reply.status()) {
                  case "OK" -> read(name, reply.fields(1), secrets);
                  case "GONE", "DAMAGED" -> Optional.empty();
                  default -> throw Refusals.of(reply, name, Keys.ofNextFirstSegment(name));
                });
  }

  /** Reads a rebuild from the fields of the next state; empty if there are none. */
  static Optional<Rebuild> read(FilterName name, Map<String, String> fields, HashSecrets secrets) {
    if (fields.isEmpty()) {
      return Optional.empty();
    }
    try {
      var next = FilterState.readNext(name, fields, secrets);
      return Optional.of(
          new Rebuild(
              next,
              next.createdAt(),
              Long.parseLong(required(fields, "received")),
              Duration.ofMillis(Long.parseLong(required(fields, "patience"))),
              Instant.ofEpochMilli(Long.parseLong(required(fields, "abandonedAt")))));
    } catch (IllegalArgumentException malformed) {
      throw FilterErrors.damaged(name, Keys.ofNextFirstSegment(name).get(0));
    }
  }

  /**
   * Counts elements that were written to the next generation, and so confirms that they reached it
   * before it was committed.
   *
   * @return elements received so far
   * @throws BloomException REBUILD_NOT_FOUND if it was committed or aborted meanwhile
   */
  public Uni<Long> loaded(Filter next, long count) {
    var keys = Keys.ofNextFirstSegment(next.name());
    return scripts
        .run(Script.LOADED, keys, request -> request.arg(next.generation().toString()).arg(count))
        .map(
            reply -> {
              if (!reply.status().equals("OK")) {
                throw refusal(reply, next.name());
              }
              return reply.number(1);
            });
  }

  /**
   * A rebuild that was committed.
   *
   * @param filter the filter as it is with it; empty if it cannot be read, as it was damaged before
   * @param noted the note that segments have to follow, if one was made
   */
  public record Committed(Optional<StoredFilter> filter, Optional<Intent> noted) {}

  /**
   * Puts the next generation in the place of the live one.
   *
   * @param minElements how many elements must have been loaded at least
   * @param expiresAt the deadline from now on in Unix milliseconds, 0 for none; empty to keep it
   * @throws BloomException REBUILD_NOT_FOUND, REBUILD_EMPTY, REBUILD_TOO_SMALL, FILTER_NOT_READY,
   *     FILTER_DAMAGED if the next generation lost a key
   */
  public Committed commit(Filter next, long minElements, Optional<Long> expiresAt) {
    return commit(next, Keys.ofFilter(next), minElements, expiresAt, List.of());
  }

  /** Whether one script can work on all later segments of both generations. */
  public static boolean fitOneScript(Filter next, Optional<Filter> live) {
    return next.segments() + live.map(Filter::segments).orElse(1) <= MOST_SEGMENTS;
  }

  /**
   * Likewise, and in the same step looks at the later segments and frees those of the live
   * generation, enters the name in the catalogue, counts what it takes, and notes it if segments
   * have to follow. Fails with {@link SeveralSlotsException}, and changes nothing, where no script
   * reaches all keys.
   *
   * @param live what seems to be live, which with the next {@link #fitOneScript}; where it is not,
   *     its later segments are freed afterwards
   */
  public Committed commitAtOnce(
      Filter next, Optional<Filter> live, long minElements, Optional<Long> expiresAt) {
    var later = Keys.ofLaterSegments(next);
    var freed = live.map(Keys::ofLaterSegments).orElse(List.of());
    var keys = Keys.withLists(next, Stream.concat(later.stream(), freed.stream()).toList());
    var arguments = new ArrayList<String>();
    arguments.add(Integer.toString(later.size() / 2));
    arguments.add(live.map(filter -> filter.generation().incarnation()).orElse(""));
    for (var segment = 1; segment < next.segments(); segment++) {
      arguments.add(Integer.toString(next.shapeOf(segment).numHashFunctions()));
    }
    return commit(next, keys, minElements, expiresAt, arguments);
  }

  private Committed commit(
      Filter next,
      List<String> keys,
      long minElements,
      Optional<Long> expiresAt,
      List<String> ofLaterSegments) {
    var reply =
        scripts.call(
            Script.COMMIT,
            keys,
            request -> {
              request
                  .arg(next.generation().toString())
                  .arg(minElements)
                  .arg(expiresAt.map(Object::toString).orElse(""))
                  .arg(next.name().value())
                  .arg(next.segments())
                  .arg(next.takenBytes());
              ofLaterSegments.forEach(request::arg);
            });
    return switch (reply.status()) {
      case "OK" -> committed(next.name(), reply);
      case "TOO_FEW" -> throw RebuildErrors.tooFew(next.name(), reply.number(1), minElements);
      case "LOST" -> throw lost(next, (int) reply.number(1), reply.reply(2));
      default -> throw refusal(reply, next);
    };
  }

  /** The first segment tells that the generation is there, so it has lost a part. */
  private static RuntimeException lost(Filter next, int segment, ScriptReply reply) {
    var refusal = SegmentStore.refusal(reply, next, segment);
    return refusal instanceof StaleFilterException
        ? FilterErrors.damaged(next.name(), SegmentStore.stateKey(next, segment))
        : refusal;
  }

  private Committed committed(FilterName name, ScriptReply reply) {
    var noted =
        reply.text(1).isEmpty()
            ? Optional.<Intent>empty()
            : Optional.of(new Intent(name, reply.number(1)));
    try {
      var filter = StoredFilter.read(name, reply, 2, secrets).with(laterSegments(reply));
      return new Committed(Optional.of(filter), noted);
    } catch (BloomException unreadable) {
      return new Committed(Optional.empty(), noted);
    }
  }

  private static List<SegmentCounts> laterSegments(ScriptReply reply) {
    return IntStream.iterate(COUNTS, at -> at + 1 < reply.size(), at -> at + 2)
        .mapToObj(at -> new SegmentCounts(reply.number(at), reply.number(at + 1)))
        .toList();
  }

  /**
   * Drops a generation that a rebuild loads.
   *
   * @return false if it is not the next generation under this name any more
   */
  public boolean abort(FilterName name, Generation next) {
    return abort(name, next, "");
  }

  /**
   * Drops the next generation if it has been abandoned.
   *
   * @return false if it has not, or is not the next generation under its name any more
   */
  public boolean abortIfAbandoned(Filter next) {
    return abort(next.name(), next.generation(), "abandoned");
  }

  /**
   * Drops the next generation if its first segment lost a key.
   *
   * @return false if it has not, or is not the next generation under this name any more
   */
  public boolean abortIfLost(FilterName name, Generation next) {
    return abort(name, next, "lost");
  }

  private boolean abort(FilterName name, Generation next, String onlyIf) {
    var reply =
        scripts.call(
            Script.ABORT, Keys.ofFilter(name), request -> request.arg(next.toString()).arg(onlyIf));
    return switch (reply.status()) {
      case "OK" -> true;
      case "ACTIVE", "NO_REBUILD" -> false;
      default -> throw refusal(reply, name);
    };
  }

  private static RuntimeException refusal(ScriptReply reply, FilterName name) {
    return Refusals.of(reply, name, Keys.ofFilter(name));
  }

  private static RuntimeException refusal(ScriptReply reply, Filter next) {
    return Refusals.of(reply, next.name(), Keys.ofFilter(next));
  }
}
