package io.github.bloomgate.filters;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.store.AdoptedBitmap;
import io.github.bloomgate.store.ChangeReply;
import io.github.bloomgate.store.ChangeReply.Refusal;
import io.github.bloomgate.store.ContentId;
import io.github.bloomgate.store.FilterState;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.FindReply;
import io.github.bloomgate.store.NextState;
import io.github.bloomgate.store.Written;
import jakarta.inject.Singleton;
import java.util.Optional;

/** Deletes filters, even damaged ones, with their sources and open rebuilds. */
@Singleton
class Deletions {

  private final LiveFilters live;
  private final FilterStore filters;
  private final Changes changes;

  Deletions(LiveFilters live, FilterStore filters, Changes changes) {
    this.live = live;
    this.filters = filters;
    this.changes = changes;
  }

  private record Target(
      String version,
      Optional<ContentId> content,
      Written written,
      boolean hasNext,
      boolean hasSource,
      Optional<NextState> next) {

    private static Target of(FilterState state, Optional<NextState> next) {
      return new Target(
          state.version(),
          Optional.of(state.content()),
          state.written(),
          state.next().isPresent(),
          state.hasSource(),
          next);
    }

    private Target withWritten(Written other) {
      return new Target(version, content, other, hasNext, hasSource, next);
    }
  }

  /**
   * Deletes a filter, or finishes an interrupted deletion.
   *
   * @param adopted its adopted bitmap, to delete that too
   * @throws BloomException FILTER_NOT_FOUND, WRONG_KEY_TYPE, FILTER_CHANGED
   */
  void delete(FilterName name, Optional<AdoptedBitmap> adopted) {
    var attempts = live.attempts(name);
    // One call is enough if the cached filter is current.
    var target =
        live.remembered(name)
            .filter(found -> found.next().isEmpty())
            .map(found -> Target.of(found.state(), Optional.empty()));
    live.forget(name);
    while (true) {
      attempts.count();
      var now = target.orElseGet(() -> find(name));
      var reply = delete(name, now, adopted);
      if (reply instanceof ChangeReply.OtherSegments others) {
        target = Optional.of(now.withWritten(others.written()));
      } else if (reply instanceof ChangeReply.Refused refused
          && refused.refusal() == Refusal.GONE) {
        // Finishes another deletion that may have been interrupted.
        target = Optional.empty();
      } else if (changes.isDone(name, reply)) {
        now.next.ifPresent(changes::dropNext);
        return;
      } else {
        target = Optional.empty();
      }
    }
  }

  private ChangeReply delete(FilterName name, Target target, Optional<AdoptedBitmap> adopted) {
    return filters.delete(
        name,
        target.version,
        target.content,
        target.written,
        target.hasNext,
        target.hasSource,
        adopted,
        target.next.map(its -> its.state().written()));
  }

  private Target find(FilterName name) {
    var reply = changes.find(name);
    if (reply instanceof FindReply.Found found) {
      return Target.of(found.state(), found.next());
    } else if (reply instanceof FindReply.Damaged damaged) {
      return new Target(
          damaged.version(),
          damaged.content(),
          damaged.written(),
          damaged.hasNext(),
          damaged.hasSource(),
          Optional.empty());
    } else if (reply instanceof FindReply.Unfinished unfinished) {
      return of(unfinished);
    } else if (reply instanceof FindReply.WrongType wrong) {
      throw FilterErrors.wrongKeyType(name, wrong.key());
    }
    throw FilterErrors.notFound(name);
  }

  /** Its source and rebuild may or may not exist. */
  private static Target of(FindReply.Unfinished unfinished) {
    return new Target("", unfinished.content(), unfinished.written(), true, true, Optional.empty());
  }

  /** Finishes an interrupted deletion. Does nothing if another client was faster. */
  void finish(FilterName name, FindReply.Unfinished unfinished) {
    delete(name, of(unfinished), Optional.empty());
  }
}
