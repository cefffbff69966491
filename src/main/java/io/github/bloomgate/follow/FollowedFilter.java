package io.github.bloomgate.follow;

import io.github.bloomgate.elements.Moment;
import io.github.bloomgate.elements.Rounds;
import io.github.bloomgate.elements.Watched;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** A filter with its followers. Used on the thread of the rounds; its figures anywhere. */
final class FollowedFilter {

  /** How long frames are kept after the last follower, which may come back. */
  private static final long KEPT_NANOS = Duration.ofMinutes(1).toNanos();

  private final Rounds rounds;
  private final Watched watched;
  private final List<Follower> followers = new CopyOnWriteArrayList<>();
  private FollowedContent content;
  private long usedAtNanos = System.nanoTime();
  private final AtomicLong bytesOfGone = new AtomicLong();

  FollowedFilter(Rounds rounds, Watched watched) {
    this.rounds = rounds;
    this.watched = watched;
    this.content = new FollowedContent(rounds, watched);
  }

  FollowedContent content() {
    return content;
  }

  Watched watched() {
    return watched;
  }

  Follower add(Optional<Known> known, boolean isOnce) {
    var follower = new Follower(this, rounds.thread(), known, isOnce);
    followers.add(follower);
    return follower;
  }

  void remove(Follower follower) {
    if (followers.remove(follower)) {
      bytesOfGone.addAndGet(follower.bytes());
      usedAtNanos = System.nanoTime();
    }
  }

  int size() {
    return followers.size();
  }

  /** The bytes sent to all followers so far. */
  long bytes() {
    return bytesOfGone.get() + followers.stream().mapToLong(Follower::bytes).sum();
  }

  /** The age of what the slowest follower has, of those that have had everything. */
  Optional<Duration> age() {
    return followers.stream().flatMap(follower -> follower.age().stream()).max(Duration::compareTo);
  }

  /**
   * Why its copies are not up to date, if something failed after a moment. A client that waits for
   * them must hear it.
   */
  Optional<BloomException> failureSince(Moment moment) {
    return watched
        .failureSince(moment)
        .map(
            failure ->
                failure instanceof BloomException known
                    ? known
                    : RequestErrors.internal(
                        "A filter that is followed could not be read.", failure));
  }

  /** Whether it has had no followers for a while. */
  boolean isUnused() {
    return followers.isEmpty() && System.nanoTime() - usedAtNanos > KEPT_NANOS;
  }

  /**
   * Sends what has changed.
   *
   * @param mostKept the bytes of frames to keep
   */
  void send(long mostKept) {
    watched.ask();
    if (!content.isCurrent()) {
      content.leave();
      content = new FollowedContent(rounds, watched);
    }
    content.collect(mostKept);
    followers.forEach(Follower::send);
  }

  /** Ends all streams. */
  void end(BloomException reason) {
    content.leave();
    followers.forEach(follower -> follower.end(reason));
  }
}
