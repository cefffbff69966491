package io.github.bloomgate.elements;

import io.github.bloomgate.filters.Filter;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.store.StoredGeneration;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** A filter whose copies are kept young while it is asked for. Thread-safe. */
public final class Watched {

  private final AtomicBoolean isRefreshing = new AtomicBoolean();

  /**
   * The refreshes of all filters since it was asked for. Unlike time, they stop with the process,
   * and nothing can ask while it is stopped.
   */
  private final AtomicLong unasked = new AtomicLong();

  private volatile Filter filter;
  private volatile Confirmed confirmed;
  private volatile Optional<Failed> failed = Optional.empty();
  private volatile BloomException end;

  /** As of when the oldest copy of one version of the filter was after a refresh. */
  private record Confirmed(StoredGeneration version, AsOf asOf) {}

  private record Failed(Moment at, RuntimeException reason) {}

  Watched(Filter filter) {
    this.filter = filter;
  }

  /** The latest known version. */
  public Filter filter() {
    return filter;
  }

  /** Keeps it watched for another minute. */
  public void ask() {
    unasked.set(0);
  }

  /** Counts a refresh of all filters. */
  void countRefresh() {
    unasked.incrementAndGet();
  }

  /** Whether it has not been asked for during this number of refreshes. */
  boolean isUnused(long refreshes) {
    return unasked.get() >= refreshes;
  }

  /** Continues with another version, whose copies may have to be read. */
  void follow(Filter changed) {
    filter = changed;
  }

  /** Returns whether no other refresh is in progress. */
  boolean beginRefresh() {
    return isRefreshing.compareAndSet(false, true);
  }

  /**
   * Ends a refresh that brought no copies up to date.
   *
   * @param failure empty if nothing is wrong
   */
  void endRefresh(Optional<RuntimeException> failure) {
    failed = failure.map(reason -> new Failed(Moment.now(), reason));
    isRefreshing.set(false);
  }

  /**
   * Ends a refresh.
   *
   * @param oldest as of when the oldest copy is; empty if one is missing
   * @param failure why a copy may be missing or older than the refresh
   */
  void endRefresh(
      StoredGeneration version, Optional<AsOf> oldest, Optional<RuntimeException> failure) {
    oldest.ifPresent(asOf -> confirmed = new Confirmed(version, asOf));
    endRefresh(failure);
  }

  /** Why the latest refresh did not succeed, if it ended after a moment. */
  public Optional<RuntimeException> failureSince(Moment moment) {
    return failed.filter(its -> !its.at.isBefore(moment)).map(Failed::reason);
  }

  /** As of when its copies are, in a version of the filter; empty if that is unknown. */
  public Optional<AsOf> asOf(StoredGeneration version) {
    return Optional.ofNullable(confirmed)
        .filter(its -> its.version.equals(version))
        .map(Confirmed::asOf);
  }

  /** The age of its oldest copy, or more; empty before there was a copy of each segment. */
  public Optional<Duration> age() {
    return Optional.ofNullable(confirmed).map(its -> its.asOf.sent().age());
  }

  /** Records why it is no longer watched, although it is asked for. */
  void end(BloomException reason) {
    end = reason;
  }

  /** Why it is no longer watched, although it is asked for. */
  public Optional<BloomException> ended() {
    return Optional.ofNullable(end);
  }
}
