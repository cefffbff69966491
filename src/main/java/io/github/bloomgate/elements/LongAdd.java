package io.github.bloomgate.elements;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.elements.ElementService.Placed;
import io.github.bloomgate.filters.KeptRoom;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.error.StreamErrors;
import io.github.bloomgate.model.lines.KeptElements;
import io.smallrye.mutiny.Uni;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * An add of any number of batches that is acknowledged as a whole.
 *
 * <p>A rebuild may be opened between two of them, or committed, and what was added before would not
 * be in the new content. So elements are kept, and what of them is missing in the content there is
 * at the end is added again. The answers of the adds tell what each was added to: as long as
 * nothing happens to the filter, this costs one call at the end.
 *
 * <p>For a thread that may wait, one batch after the other.
 */
public final class LongAdd implements AutoCloseable {

  /** Each but the first means that the filter changed again while elements were added again. */
  private static final int MAX_ROUNDS = 5;

  private final ElementService elements;
  private final FilterName name;
  private final Durability durability;
  private final KeptRoom room;

  /** What was added, in order. */
  private List<Run> runs = new ArrayList<>();

  private Contents latest;
  private OptionalInt replicas = OptionalInt.empty();

  /** Null when there is no room for it. */
  private KeptElements kept = new KeptElements();

  private long taken;

  LongAdd(ElementService elements, FilterName name, Durability durability, KeptRoom room) {
    this.elements = elements;
    this.name = name;
    this.durability = durability;
    this.room = room;
  }

  /**
   * Adds elements.
   *
   * @throws BloomException as {@link ElementService#add}; FILTER_CHANGED if earlier ones are
   *     missing by now and are not kept
   */
  public Uni<Answers> add(List<byte[]> batch) {
    var from = keep(batch);
    return elements
        .place(name, batch, durability)
        .map(
            placed -> {
              note(runs, placed, batch.size(), from);
              elements.countAdded(placed.answers());
              if (kept == null) {
                requireKept();
              }
              return placed.answers();
            });
  }

  /**
   * Has everything that was added be in the content there is now, that of an open rebuild included.
   * Only then it may be acknowledged, also in part.
   *
   * @throws BloomException that says which of it is not certain, with the code of what failed;
   *     FILTER_CHANGED if the filter changed again and again
   */
  public void acknowledge() {
    if (!runs.isEmpty()) {
      try {
        look();
      } catch (BloomException failure) {
        throw StreamErrors.addStopped(failure, count(runs) + 1, count(runs));
      }
    }
    bringAlong();
  }

  /**
   * Likewise, after a failure that is told with how much was added before: it may be that Redis
   * cannot be asked, and then what is known of the content is what the last of them told.
   */
  public void acknowledgePart() {
    try {
      look();
    } catch (BloomException failure) {
      // As told.
    }
    bringAlong();
  }

  private void bringAlong() {
    for (var round = 1; missing() > 0; round++) {
      requireKept();
      if (round > MAX_ROUNDS) {
        throw leftBehind(FilterErrors.changed(name));
      }
      try {
        addMissing();
      } catch (BloomException failure) {
        throw leftBehind(failure);
      } catch (IOException disk) {
        throw leftBehind(
            RequestErrors.internal("What a stream has added could not be read again", disk));
      }
    }
  }

  /** The last batch may be long ago. */
  private void look() {
    try {
      latest = await(elements.contents(name));
    } catch (BloomException failure) {
      // What was added to a filter that was deleted since is gone with it.
      if (failure.code() != ErrorCode.FILTER_NOT_FOUND) {
        throw failure;
      }
    }
  }

  /** How many replicas of Redis have all of it; empty if that was not waited for. */
  public OptionalInt replicas() {
    return replicas;
  }

  /** Where the first of these is kept. */
  private long keep(List<byte[]> batch) {
    if (kept == null) {
      return 0;
    }
    var from = kept.size();
    try {
      var bytes = KeptElements.bytesOf(batch);
      if (room.take(bytes)) {
        taken += bytes;
        kept.add(batch);
        return from;
      }
    } catch (IOException disk) {
      room.tellOf(disk);
    }
    close();
    return 0;
  }

  private void addMissing() throws IOException {
    var after = new ArrayList<Run>();
    for (var run : runs) {
      if (run.contents.outlast(latest)) {
        after.add(run);
      } else {
        kept.read(
            run.from,
            run.count,
            (batch, from) ->
                note(after, await(elements.place(name, batch, durability)), batch.size(), from));
      }
    }
    runs = after;
  }

  private void note(List<Run> to, Placed placed, int count, long from) {
    latest = placed.contents();
    placed
        .answers()
        .replicas()
        .ifPresent(
            some -> replicas = OptionalInt.of(Math.min(some, replicas.orElse(Integer.MAX_VALUE))));
    var last = to.isEmpty() ? null : to.get(to.size() - 1);
    if (last != null && last.contents.equals(latest)) {
      to.set(to.size() - 1, new Run(latest, last.count + count, last.from));
    } else {
      to.add(new Run(latest, count, from));
    }
  }

  private void requireKept() {
    if (kept == null && missing() > 0) {
      throw leftBehind(StreamErrors.notKept(name));
    }
  }

  private BloomException leftBehind(BloomException cause) {
    var missing = missing();
    return StreamErrors.leftBehind(cause, missing, count(runs) - missing);
  }

  /** How many of the first elements may be missing. */
  private long missing() {
    for (var end = runs.size(); end > 0; end--) {
      if (!runs.get(end - 1).contents.outlast(latest)) {
        return count(runs.subList(0, end));
      }
    }
    return 0;
  }

  private static long count(List<Run> some) {
    return some.stream().mapToLong(Run::count).sum();
  }

  @Override
  public void close() {
    if (kept != null) {
      room.giveBack(taken);
      kept.close();
      kept = null;
    }
  }

  /**
   * Elements that follow each other and were added to the same.
   *
   * @param from where the first of them is kept
   */
  private record Run(Contents contents, long count, long from) {}
}
