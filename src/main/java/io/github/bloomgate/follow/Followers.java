package io.github.bloomgate.follow;

import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.elements.Rounds;
import io.github.bloomgate.elements.Watched;
import io.github.bloomgate.elements.Watches;
import io.github.bloomgate.filters.IdleFilters;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.memory.Shares;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** All followers of this instance. Thread-safe. */
@Singleton
public class Followers {

  /** With many followers, each of them gets fewer and larger parts. */
  private static final int FOLLOWERS_OF_A_PAUSE = 200;

  /** The frames kept for followers that lag behind, of one filter and of all. */
  private static final long MOST_KEPT = 1 << 20;

  private static final long MOST_KEPT_OF_ALL = 16 << 20;

  private final LiveFilters live;
  private final Watches watches;
  private final IdleFilters idle;
  private final Rounds rounds;
  private final int limit;
  private final Shares places;
  private final Map<FilterName, FollowedFilter> followed = new ConcurrentHashMap<>();
  private int pauses;
  private volatile Optional<BloomException> refusal = Optional.empty();

  /**
   * The copies of a watched filter, on this instance and of its followers.
   *
   * @param age of the oldest copy on this instance; empty until all segments have been read
   * @param bytes sent to the followers
   * @param lag the age of what the slowest follower has; empty before one has had everything
   */
  public record Copies(Optional<Duration> age, int followers, long bytes, Optional<Duration> lag) {}

  Followers(
      LiveFilters live,
      Watches watches,
      IdleFilters idle,
      Rounds rounds,
      BloomgateConfig config,
      MeterRegistry metrics) {
    this.live = live;
    this.watches = watches;
    this.idle = idle;
    this.rounds = rounds;
    this.limit = config.follow().maxFollowers();
    this.places = new Shares(limit);
    Gauge.builder("bloom.followers", places, Shares::taken)
        .description("Number of clients that follow a filter.")
        .register(metrics);
  }

  /**
   * Takes a place for a client, from its share.
   *
   * @throws BloomException TOO_MANY_STREAMS
   */
  public Place take(String client) {
    switch (places.take(client, 1)) {
      case TAKEN -> {}
      case SHARE_USED ->
          throw tooMany(
              "The key '%s' has already used up its share of the service's %d followers. Follow with fewer clients, or raise bloomgate.follow.max-followers."
                  .formatted(client, limit));
      case ALL_USED ->
          throw tooMany(
              "The service already has %d followers, which is its limit. Follow another instance, or raise bloomgate.follow.max-followers."
                  .formatted(limit));
    }
    return new Place(client);
  }

  /** A place of a client. It must be left, even if the client goes before its stream begins. */
  public final class Place {

    private final String client;

    /** Used only on the thread of the rounds, as the next one. */
    private Optional<Follower> follower = Optional.empty();

    private boolean isLeft;

    private Place(String client) {
      this.client = client;
    }

    /**
     * Begins to follow a filter.
     *
     * @param known what the client has already
     * @param isOnce whether the stream ends when the client has everything
     * @return fails with FILTER_NOT_FOUND, FILTER_DAMAGED, WRONG_KEY_TYPE, STORE_UNAVAILABLE;
     *     INVALID_REQUEST if the filter cannot be followed, LIMIT_EXCEEDED if its copies do not fit
     */
    public Uni<Follower> follow(FilterName name, Optional<Known> known, boolean isOnce) {
      return live.find(name)
          .map(filter -> watches.watch(filter).orElseThrow(() -> Watches.noRoom(name)))
          .emitOn(rounds.thread())
          .map(watched -> of(name, watched).add(known, isOnce))
          .invoke(this::hold)
          .invoke(() -> watches.refresh(List.of(name)))
          .invoke(some -> refusal.ifPresent(some::end));
    }

    private void hold(Follower some) {
      follower = Optional.of(some);
      if (isLeft) {
        some.leave();
      }
    }

    /** Ends the stream, if it has begun, and gives the place back. Called once. */
    public void leave() {
      rounds
          .thread()
          .execute(
              () -> {
                isLeft = true;
                follower.ifPresent(Follower::leave);
              });
      places.giveBack(client, 1);
    }
  }

  private static BloomException tooMany(String message) {
    return BloomException.of(ErrorCode.TOO_MANY_STREAMS, message);
  }

  private FollowedFilter of(FilterName name, Watched watched) {
    var known = followed.get(name);
    if (known != null && known.watched() == watched) {
      return known;
    }
    if (known != null) {
      known.end(known.watched().ended().orElseGet(() -> Watches.noRoom(name)));
    }
    var begun = new FollowedFilter(rounds, watched);
    followed.put(name, begun);
    return begun;
  }

  /** The copies of a filter; empty if it is not watched on this instance. */
  public Optional<Copies> copies(FilterName name) {
    return watches.watched(name).map(watched -> copies(watched, followed.get(name)));
  }

  private static Copies copies(Watched watched, FollowedFilter its) {
    return its == null
        ? new Copies(watched.age(), 0, 0, Optional.empty())
        : new Copies(watched.age(), its.size(), its.bytes(), its.age());
  }

  /** Sends what has changed, with the timer and on the thread of the rounds. */
  void send() {
    if (followed.isEmpty() || ++pauses <= places.taken() / FOLLOWERS_OF_A_PAUSE) {
      return;
    }
    pauses = 0;
    var mostKept = Math.min(MOST_KEPT, MOST_KEPT_OF_ALL / followed.size());
    for (var some : List.copyOf(followed.values())) {
      send(some, mostKept);
    }
  }

  private void send(FollowedFilter some, long mostKept) {
    var ended = some.watched().ended();
    if (ended.isPresent() || some.isUnused()) {
      followed.values().remove(some);
      ended.ifPresentOrElse(some::end, () -> some.content().leave());
      return;
    }
    some.send(mostKept);
    idle.use(List.of(some.watched().filter()), false).subscribe().with(ignored -> {});
  }

  /**
   * Ends all streams and those that begin, so that their clients follow another instance.
   *
   * @param reason empty to allow streams again
   */
  public void refuse(Optional<BloomException> reason) {
    refusal = reason;
    reason.ifPresent(
        end -> rounds.thread().execute(() -> followed.values().forEach(some -> some.end(end))));
  }
}
