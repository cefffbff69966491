package io.github.bloomgate.filters;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.model.ContentId;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.store.ChangeReply;
import io.github.bloomgate.store.Dropped;
import io.github.bloomgate.store.FilterStore;
import io.github.bloomgate.store.FindReply;
import io.github.bloomgate.store.Keys;
import io.github.bloomgate.store.RebuildStore;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import org.jboss.logging.Logger;

/** Interprets the replies to changes of filters, and drops replaced content. */
@Singleton
public class ChangeReplies {

  private static final Logger LOG = Logger.getLogger(ChangeReplies.class);

  private final FilterStore store;
  private final RebuildStore rebuilds;
  private final LiveFilters live;

  ChangeReplies(FilterStore store, RebuildStore rebuilds, LiveFilters live) {
    this.store = store;
    this.rebuilds = rebuilds;
    this.live = live;
  }

  /**
   * Checks a reply and drops replaced content.
   *
   * @return false if another client changed the filter: read it and try again
   * @throws io.github.bloomgate.model.error.BloomException FILTER_NOT_FOUND, WRONG_KEY_TYPE,
   *     REBUILD_IN_PROGRESS, REBUILD_NOT_FOUND, FILTER_DAMAGED
   */
  public boolean isDone(FilterName name, ChangeReply reply) {
    if (reply instanceof ChangeReply.Done done) {
      done.dropped().ifPresent(dropped -> drop(name, dropped));
      return true;
    } else if (reply instanceof ChangeReply.StillToDrop earlier) {
      drop(name, earlier.dropped());
      return false;
    } else if (reply instanceof ChangeReply.Refused refused) {
      requireAnotherTry(name, refused.refusal());
    }
    return false;
  }

  /** The filter after a change, now remembered; empty where {@link #isDone} is false, or fails. */
  public Optional<ChangedFilter> changed(FilterName name, ChangeReply reply) {
    if (!isDone(name, reply)) {
      return Optional.empty();
    }
    var now = ((ChangeReply.Done) reply).now().orElseThrow();
    try {
      var found = live.note(name, now, false);
      if (found.live().next().isEmpty()) {
        var read = (FindReply.Found) now;
        return Optional.of(
            new ChangedFilter(name, Optional.of(found), read.millis(), read.headers()));
      }
    } catch (BloomException unreadable) {
      // The change was made all the same.
    }
    return Optional.of(ChangedFilter.unread(name));
  }

  private static void requireAnotherTry(FilterName name, ChangeReply.Refusal refusal) {
    switch (refusal) {
      case CHANGED, EXISTS -> {
        // The caller reads the filter again.
      }
      case WRONG_TYPE -> throw FilterErrors.wrongKeyType(name, Keys.state(name));
      case NEXT_WRONG_TYPE -> throw FilterErrors.wrongKeyType(name, Keys.next(name));
      case DAMAGED -> throw FilterErrors.damaged(name, Keys.state(name));
      case NEXT_DAMAGED -> throw FilterErrors.damaged(name, Keys.next(name));
      case OPEN -> throw RebuildErrors.inProgress(name);
      case NO_REBUILD -> throw RebuildErrors.notFound(name);
      case RUN_LOST -> throw RebuildErrors.runLost(name);
    }
  }

  /**
   * Finishes the deletion of a filter that was cut off by a crash of Redis. Blocks.
   *
   * @return whether there was one
   */
  public boolean finishDeletion(FilterName name) {
    if (await(store.find(name, false, List.of())) instanceof FindReply.Unfinished unfinished) {
      store.delete(name, unfinished.filter(), Optional.empty());
      return true;
    }
    return false;
  }

  /**
   * Removes the traces of an expired rebuild from the state of its filter.
   *
   * @return whether there were any; the filter must then be read again
   */
  public boolean endExpiredRebuild(Filter found) {
    var state = found.live().state();
    if (state.next().isEmpty() || found.next().isPresent()) {
      return false;
    }
    var name = found.live().name();
    rebuilds.abort(
        name, state.version(), ContentId.newId(), state.next().get(), false, "", Optional.empty());
    return true;
  }

  /**
   * Makes dropped content expire. If this fails, the next change of the filter does it, because of
   * the note in its state.
   */
  public void drop(FilterName name, Dropped dropped) {
    drop(name, Optional.of(name), dropped);
  }

  /**
   * Makes content of a rebuild expire that is not noted in any state, and could otherwise take an
   * hour to expire. Never fails.
   */
  public void dropUnnoted(FilterName name, Dropped dropped) {
    drop(name, Optional.empty(), dropped);
  }

  private void drop(FilterName name, Optional<FilterName> noted, Dropped dropped) {
    try {
      for (var from = 0;
          store.drop(noted, dropped, from);
          from += FilterStore.MAX_SEGMENTS_PER_CALL) {}
    } catch (RuntimeException failure) {
      LOG.warnf("Old content of filter %s will be freed later: %s", name, failure.getMessage());
    }
  }
}
