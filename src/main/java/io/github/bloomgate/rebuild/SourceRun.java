package io.github.bloomgate.rebuild;

import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.rebuild.source.SourceReader;
import io.github.bloomgate.store.FilterStore;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * One rebuild of a filter from its source, by the thread that executes it. The rebuild is open
 * before the source is opened, so that an element which is added to the filter and to the source
 * meanwhile is in the one or the other.
 */
final class SourceRun {

  private final RebuildOpening openings;
  private final RebuildService rebuilds;
  private final FilterStore filters;
  private final FilterName name;
  private final long minElements;
  private final RunWatch watch;
  private final Duration patience;
  private long elements;

  /**
   * @param minElements how many elements must be read at least
   * @param patience how long the rebuild may go without a load before it is aborted
   */
  SourceRun(
      RebuildOpening openings,
      RebuildService rebuilds,
      FilterStore filters,
      FilterName name,
      long minElements,
      RunWatch watch,
      Duration patience) {
    this.openings = openings;
    this.rebuilds = rebuilds;
    this.filters = filters;
    this.name = name;
    this.minElements = minElements;
    this.watch = watch;
    this.patience = patience;
  }

  /** How many elements were read so far. */
  long elements() {
    return elements;
  }

  /** Drops the rebuild of a run that died, if it still is the one that is open. */
  void abort(String generation) {
    try {
      var next = await(rebuilds.find(name)).next();
      if (next.generation().toString().equals(generation)) {
        await(rebuilds.abort(next));
      }
    } catch (BloomException failure) {
      if (failure.code() != ErrorCode.REBUILD_NOT_FOUND) {
        throw failure;
      }
    }
  }

  /**
   * Rebuilds the filter.
   *
   * @param reader opens the source
   * @throws BloomException why it failed; the filter is as it was
   */
  void execute(Supplier<SourceReader> reader) {
    var next = await(openings.open(name, parameters -> parameters, patience));
    try {
      watch.loads(next.generation());
      next = await(openings.awaitReady(next));
      watch.check();
      load(next, reader);
      watch.hold();
    } catch (RuntimeException failure) {
      await(rebuilds.discard(next));
      throw failure;
    }
    commit(next);
  }

  private void load(Filter next, Supplier<SourceReader> reader) {
    watch.progress();
    try (var opened = reader.get()) {
      watch.reads(opened);
      var batch = opened.next();
      while (!batch.isEmpty()) {
        watch.check();
        elements += batch.size();
        await(rebuilds.load(next, batch));
        watch.progress();
        batch = opened.next();
      }
    } catch (BloomException failure) {
      // The watch closes what is read: then that is not the reason.
      watch.check();
      throw failure;
    }
    watch.check();
  }

  private void commit(Filter next) {
    try {
      await(rebuilds.commit(next, minElements, NewDeadline.KEEP));
    } catch (BloomException failure) {
      // What came after the step that counts may have failed, or only its answer be missing.
      if (!isLive(next)) {
        await(rebuilds.discard(next));
        throw failure;
      }
    }
  }

  private boolean isLive(Filter next) {
    try {
      return await(filters.find(name))
          .filter(found -> found.filter().generation().equals(next.generation()))
          .isPresent();
    } catch (BloomException unknown) {
      return false;
    }
  }

  private static <T> T await(Uni<T> result) {
    // Every call to Redis has a time limit of its own.
    return result.await().indefinitely();
  }
}
