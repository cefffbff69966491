package io.github.bloomgate.follow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.elements.TestWatches;
import io.github.bloomgate.elements.Watches;
import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.AnyKind;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestInstance;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Followers that lag behind, come back or change instance, and too many. */
@OnRedis
@Timeout(120)
class FollowersTest {

  private static final int LIMIT = 1_000;
  private static final int BATCHES = 30;
  private static final int BATCH = 1_000;
  private static final Map<Follower, Followers.Place> PLACES = new ConcurrentHashMap<>();
  private static final long KEPT = 1 << 20;

  /** Enough that no part of the filter is empty. */
  private static final int DENSE = 100_000;

  /** Their changes take more than half of a piece. */
  private static final int FEWER = 160;

  /** Four times as many as the filter alone takes. */
  private static final int MOST_PIECES = 1_000;

  /** The bits of a segment of 2 MiB. */
  private static final long LARGEST = 1 << 24;

  private static TestRedis redis;
  private static TestInstance instance;
  private static TestInstance other;

  @Test
  void aFollowerThatLagsBehindGetsWholeSegments() {
    var name = AnyKind.ONE_SEGMENT.create(instance);
    var bits = new BitsFollower();
    var follower = follow(name, "", bits);
    receive(follower, bits);
    var before = bits.contents();
    for (var batch = 0; batch < BATCHES; batch++) {
      instance.add(name, TestInstance.elements("b" + batch + "-", BATCH));
      send(instance);
    }
    receive(follower, bits);
    var live = instance.live.get(name).live();
    for (var batch = 0; batch < BATCHES; batch++) {
      TestInstance.elements("b" + batch + "-", BATCH)
          .forEach(element -> assertTrue(bits.mightContain(live, element)));
    }
    // There are 2.4 MB of patches and room for 1 MiB; the bitmap has 188 KB.
    assertTrue(bits.contents() - before < 60, "frames: " + (bits.contents() - before));
    leave(follower);
  }

  /** It takes more than the changes, but the log keeps less than changes while all is sent. */
  @Test
  void aFollowerOfABusyFilterGetsEverythingInTheEnd() {
    var name = TestInstance.name();
    var live = instance.create(name, TestInstance.SEVERAL);
    var added = TestInstance.elements("first", DENSE);
    instance.add(name, added);
    var bits = new BitsFollower();
    var follower = follow(name, "", bits);
    for (var pieces = 0; bits.ats() == 0; pieces++) {
      assertTrue(pieces < MOST_PIECES, "no AT");
      var some = TestInstance.elements("p" + pieces + "-", FEWER);
      instance.add(name, some);
      bits.receive(next(instance, follower).frames());
    }
    added.forEach(element -> assertTrue(bits.mightContain(live, element)));
    leave(follower);
  }

  /** Another follower gets the whole segment meanwhile, so its changes were collected early. */
  @Test
  void anAtIsNeverWithinTheFramesOfOneChange() {
    var name = AnyKind.ONE_SEGMENT.create(instance);
    var bits = new BitsFollower();
    var follower = follow(name, "", bits);
    receive(follower, bits);
    var another = follow(name, "", new BitsFollower());
    receive(follower, bits);
    collectAll(name);
    var added = TestInstance.elements("large", BATCH);
    instance.add(name, added);
    assertTrue(TestInstance.await(another.next()).frames().length > 0);
    for (var ats = bits.ats(); bits.ats() == ats; ) {
      bits.receive(next(instance, follower).frames());
    }
    var live = instance.live.get(name).live();
    added.forEach(element -> assertTrue(bits.mightContain(live, element)));
    leave(another);
    leave(follower);
  }

  /** Makes frames as of now, as far as there are changes. */
  private static void collectAll(FilterName name) {
    TestWatches.refreshAll(instance);
    // A round after the refresh.
    assertEquals(1, instance.test(name, TestInstance.elements("a", 1)).length);
    send(instance);
  }

  @Test
  void aFollowerThatComesBackGetsTheLayersAddedMeanwhile() {
    var name = AnyKind.GROWING.create(instance);
    var bits = new BitsFollower();
    var follower = follow(name, "", bits);
    receive(follower, bits);
    leave(follower);
    var added = TestInstance.elements("late", BATCH);
    instance.add(name, added);
    assertTrue(instance.live.get(name).live().layers().size() > 1);
    var others = new BitsFollower();
    var other = follow(name, "", others);
    receive(other, others);
    leave(other);
    var back = follow(name, "", bits);
    receive(back, bits);
    var live = instance.live.get(name).live();
    added.forEach(element -> assertTrue(bits.mightContain(live, element)));
    leave(back);
  }

  /** A step that has examined many zeros continues by itself, but only in the same content. */
  @Test
  void aFollowerTakesNoStepsUntilItsNewContentIsThere() {
    var name = TestInstance.name();
    var before = instance.create(name, TestInstance.shape(LARGEST, 1));
    instance.add(name, List.of(elementOfSecondHalf(before)));
    try (var host = TestInstance.stepwise(redis)) {
      var watched = host.get(Watches.class).watch(host.live.get(name)).orElseThrow();
      var filter = new FollowedFilter(host.rounds, watched);
      var steps = new ArrayDeque<Runnable>();
      var follower = new Follower(filter, steps::add, Optional.empty(), false);
      TestWatches.awaitCopies(host, name);
      filter.send(KEPT);
      var piece = follower.next().subscribeAsCompletionStage();
      steps.remove().run();
      assertEquals(0, contents(piece.join()));

      instance.changes.clear(name);
      host.steps().hold();
      TestWatches.refreshAll(host);
      while (watched.filter().live().content().equals(before.content())) {
        host.steps().execute();
        host.steps().answer();
      }
      filter.send(KEPT);
      var plan = follower.next().subscribeAsCompletionStage();
      steps.remove().run();
      assertEquals(0, contents(plan.join()));
      var content = follower.next().subscribeAsCompletionStage();
      steps.remove().run();
      assertFalse(content.isDone());
      assertTrue(steps.isEmpty());
      host.steps().release();
    }
  }

  private static byte[] elementOfSecondHalf(Generation generation) {
    var positions = new long[1];
    return TestInstance.elements("e", BATCH).stream()
        .filter(
            element -> {
              var unused =
                  generation.scheme().locate(element, generation.layer(0).places(), positions);
              return positions[0] > LARGEST / 2;
            })
        .findFirst()
        .orElseThrow();
  }

  private static int contents(Follower.Piece piece) {
    var bits = new BitsFollower();
    bits.receive(piece.frames());
    return bits.contents();
  }

  @Test
  void aFollowerIsToldThatItsContentCannotBeRead() {
    var name = AnyKind.ONE_SEGMENT.create(instance);
    var added = TestInstance.elements("kept", 1);
    instance.add(name, added);
    var bits = new BitsFollower();
    redis.command("ACL", "SETUSER", "default", "-hmget");
    try {
      var follower = follow(name, "", bits);
      var failure = failureInsteadOfAt(instance, follower, bits);
      assertEquals(ErrorCode.STORE_UNAVAILABLE, failure.code());
      leave(follower);
    } finally {
      redis.command("ACL", "SETUSER", "default", "+hmget");
    }
    var back = follow(name, "", bits);
    receive(back, bits);
    assertTrue(bits.mightContain(instance.live.get(name).live(), added.get(0)));
    leave(back);
  }

  @Test
  void aFollowerThatChangesInstanceGetsNothingOlderThanItHas() {
    var name = AnyKind.ONE_SEGMENT.create(instance);
    var older = new BitsFollower();
    var before = follow(other, name, "", older);
    receive(other, before, older);
    leave(before);
    var added = TestInstance.elements("later", 1);
    instance.add(name, added);
    var bits = new BitsFollower();
    var follower = follow(name, "", bits);
    receive(follower, bits);
    leave(follower);
    redis.command("ACL", "SETUSER", "default", "-hmget");
    try {
      var moved = follow(other, name, "", bits);
      failureInsteadOfAt(other, moved, bits);
      leave(moved);
    } finally {
      redis.command("ACL", "SETUSER", "default", "+hmget");
    }
    assertTrue(bits.mightContain(instance.live.get(name).live(), added.get(0)));
  }

  @Test
  void aFollowerThatChangesInstanceGetsOnlySegmentsThatHaveChanged() {
    var name = TestInstance.name();
    var live = instance.create(name, TestInstance.shape(2 * LARGEST, 1));
    var added = TestInstance.elements("kept", BATCH);
    instance.add(name, added);
    var bits = new BitsFollower();
    var follower = follow(name, "", bits);
    receive(follower, bits);
    leave(follower);
    var before = bits.contentsOf(0);
    var later =
        TestInstance.elements("later", BATCH).stream()
            .filter(element -> segment(live, element) == 1)
            .toList();
    instance.add(name, later);
    try (var fresh = new TestInstance(redis)) {
      var moved = follow(fresh, name, "", bits);
      receive(fresh, moved, bits);
      added.forEach(element -> assertTrue(bits.mightContain(live, element)));
      later.forEach(element -> assertTrue(bits.mightContain(live, element)));
      assertEquals(before, bits.contentsOf(0));
      leave(moved);
    }
  }

  private static int segment(Generation generation, byte[] element) {
    return generation.scheme().locate(element, generation.layer(0).places(), new long[1]);
  }

  @Test
  void aClientHasAShareOfThePlaces() {
    var name = AnyKind.ONE_SEGMENT.create(instance);
    var some = new ArrayList<Follower>();
    for (var i = 0; i < LIMIT / 2; i++) {
      some.add(follow(name, "one", new BitsFollower()));
    }
    refused(name, "one");
    var other = follow(name, "other", new BitsFollower());
    leave(some.remove(0));
    leave(some.remove(0));
    some.add(follow(name, "one", new BitsFollower()));
    some.forEach(follower -> leave(follower));
    leave(other);
    assertEquals(0, instance.metrics.get("bloom.followers").gauge().value());
  }

  @Test
  void aClientThatGoesBeforeItsStreamBeginsLeavesNothing() {
    var name = AnyKind.ONE_SEGMENT.create(instance);
    try (var host = TestInstance.stepwise(redis)) {
      var followers = host.get(Followers.class);
      host.steps().hold();
      var place = followers.take("");
      var begun = place.follow(name, Optional.empty(), false).subscribeAsCompletionStage();
      place.leave();
      assertEquals(0, host.metrics.get("bloom.followers").gauge().value());
      host.steps().release();
      assertTrue(begun.isDone());
      assertEquals(0, followers.copies(name).orElseThrow().followers());
    }
  }

  private static void refused(FilterName name, String client) {
    var refusal =
        assertThrows(BloomException.class, () -> follow(name, client, new BitsFollower()));
    assertEquals(ErrorCode.TOO_MANY_STREAMS, refusal.code());
  }

  private static Follower follow(FilterName name, String client, BitsFollower bits) {
    return follow(instance, name, client, bits);
  }

  private static Follower follow(
      TestInstance by, FilterName name, String client, BitsFollower bits) {
    var place = by.get(Followers.class).take(client);
    var follower = TestInstance.await(place.follow(name, bits.begin(), false));
    PLACES.put(follower, place);
    return follower;
  }

  private static void leave(Follower follower) {
    PLACES.remove(follower).leave();
  }

  /** As the timer does. */
  private static void send(TestInstance by) {
    var sent = new CompletableFuture<Void>();
    by.rounds
        .thread()
        .execute(
            () -> {
              by.get(Followers.class).send();
              sent.complete(null);
            });
    TestInstance.await(Uni.createFrom().completionStage(sent));
  }

  /** Receives everything up to an AT of everything until now. */
  private static void receive(Follower follower, BitsFollower bits) {
    receive(instance, follower, bits);
  }

  private static void receive(TestInstance by, Follower follower, BitsFollower bits) {
    var from = System.nanoTime();
    while (bits.ats() == 0 || bits.asOfNanos() <= from) {
      bits.receive(next(by, follower).frames());
    }
  }

  private static BloomException failureInsteadOfAt(
      TestInstance by, Follower follower, BitsFollower bits) {
    var ats = bits.ats();
    var failure = Optional.<BloomException>empty();
    for (var pieces = 0; failure.isEmpty(); pieces++) {
      assertTrue(pieces < 4, "only plans");
      var piece = next(by, follower);
      bits.receive(piece.frames());
      assertEquals(ats, bits.ats(), "an AT of a copy that is older");
      failure = piece.failure();
    }
    return failure.get();
  }

  private static Follower.Piece next(TestInstance by, Follower follower) {
    var next = follower.next().subscribeAsCompletionStage();
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              TestWatches.refreshAll(by);
              send(by);
              return next.isDone();
            });
    return next.join();
  }
}
