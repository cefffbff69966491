package io.github.bloomgate.follow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.elements.TestWatches;
import io.github.bloomgate.elements.WholeSegments;
import io.github.bloomgate.follow.BitsFollower.PlaneId;
import io.github.bloomgate.follow.Follower.Piece;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.AnyKind;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestExtent;
import io.github.bloomgate.support.TestInstance;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * At every AT, a follower has each element whose add was acknowledged more than its age ago; and at
 * the end, exactly the bits of the filter. Another instance changes the filter between the requests
 * and the replies of the followed ones, and the follower changes from one of these to the other.
 */
@Tag("fuzz")
@OnRedis
class FollowedBitsTest {

  private static final long SEED = Long.getLong("test.model-seed", System.nanoTime());
  private static final int HISTORIES = TestExtent.of("test.model-interleavings", 60, 10_000) / 6;
  private static final int STEPS = 400;
  private static final int BATCH = 20;
  private static final int WINDOW = 20;

  private static TestRedis redis;
  private static TestInstance writer;

  private List<TestInstance> hosts;

  /** When the add of each element of the content was acknowledged. */
  private final Map<String, Long> acknowledged = new HashMap<>();

  private FilterName name;
  private boolean isForgetting;
  private BitsFollower bits;
  private TestInstance host;
  private Followers.Place place;
  private CompletableFuture<Follower> begun;
  private CompletableFuture<Piece> awaited;

  @BeforeEach
  void start() {
    System.out.printf("followed bits: -Dtest.model-seed=%d%n", SEED);
    hosts = List.of(TestInstance.stepwise(redis), TestInstance.stepwise(redis));
  }

  @AfterEach
  void stop() {
    hosts.forEach(TestInstance::close);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ADOPTED")
  void aFollowerHasAllOlderAddsAndAtTheEndAllBits(AnyKind kind) {
    var ats = 0;
    for (var i = 0; i < HISTORIES; i++) {
      ats += history(kind, new Random(SEED + i), "-Dtest.model-seed=%d".formatted(SEED + i));
    }
    assertTrue(ats > HISTORIES, "few AT frames were sent: " + ats);
  }

  /** Elements leave the window, and its rings are emptied and used again. */
  @Test
  void ringsThatTurnAreTheSameAtTheEnd() {
    isForgetting = true;
    for (var i = 0; i < HISTORIES; i++) {
      name = TestInstance.name();
      var window = Window.ofInsertions(WINDOW, 2, true);
      writer.create(name, window.parameters(HashSchemes.nativeScheme(), WINDOW, 0.01));
      history(AnyKind.BY_INSERTIONS, new Random(SEED + i), "seed " + (SEED + i));
    }
  }

  private int history(AnyKind kind, Random random, String seed) {
    hosts.forEach(some -> some.steps().release());
    acknowledged.clear();
    if (!isForgetting) {
      name = kind.create(writer);
    }
    bits = new BitsFollower();
    begin(random);
    add(random);
    hosts.forEach(some -> some.steps().hold());
    for (var step = 0; step < STEPS; step++) {
      step(kind, random, seed);
    }
    hosts.forEach(some -> some.steps().release());
    catchUp(seed);
    compare(seed);
    leave();
    return bits.ats();
  }

  private void step(AnyKind kind, Random random, String seed) {
    switch (random.nextInt(kind == AnyKind.COUNTING ? 20 : 19)) {
      case 0, 1, 2 -> add(random);
      case 3 -> {
        if (!isForgetting && random.nextInt(4) == 0) {
          change(random);
        }
      }
      case 4 -> writer.fold();
      case 5, 6 -> TestWatches.refreshAll(host);
      case 7 -> host.steps().lose();
      case 8, 9 -> host.get(Followers.class).send();
      case 10, 11, 12 -> take(1 + random.nextInt(4), seed);
      case 13 -> {
        if (random.nextInt(4) == 0) {
          leave();
          begin(random);
        }
      }
      case 19 -> remove(random);
      default -> {
        while (host.steps().canExecute() && random.nextInt(4) != 0) {
          host.steps().execute();
        }
        while (host.steps().canAnswer() && random.nextInt(4) != 0) {
          host.steps().answer();
        }
      }
    }
  }

  private void begin(Random random) {
    host = hosts.get(random.nextInt(hosts.size()));
    place = host.get(Followers.class).take("");
    begun = place.follow(name, bits.begin(), false).subscribeAsCompletionStage();
    awaited = null;
  }

  private void leave() {
    place.leave();
  }

  private void add(Random random) {
    var added = new ArrayList<String>();
    // More would be sent as whole planes.
    for (var i = isForgetting ? 0 : random.nextInt(BATCH); i >= 0; i--) {
      added.add("e" + random.nextLong());
    }
    writer.add(name, added.stream().map(TestInstance::element).toList());
    added.forEach(element -> acknowledged.put(element, System.nanoTime()));
  }

  private void remove(Random random) {
    var some = acknowledged.keySet().stream().skip(random.nextInt(BATCH)).findFirst();
    some.ifPresent(
        element -> {
          acknowledged.remove(element);
          writer.remove(name, List.of(TestInstance.element(element)));
        });
  }

  private void change(Random random) {
    acknowledged.clear();
    if (random.nextBoolean()) {
      writer.changes.clear(name);
    } else {
      TestInstance.openNext(writer, name);
      add(random);
      writer.rebuild(name).commit(0, NewExpiry.KEEP);
    }
  }

  /** Takes up to this number of pieces that are there. */
  private void take(int pieces, String seed) {
    for (var i = 0; i < pieces && begun.isDone(); i++) {
      if (begun.isCompletedExceptionally()) {
        begun = place.follow(name, bits.begin(), false).subscribeAsCompletionStage();
        return;
      }
      if (awaited == null) {
        awaited = begun.join().next().subscribeAsCompletionStage();
      }
      if (!awaited.isDone()) {
        return;
      }
      var before = bits.ats();
      bits.receive(awaited.join().frames());
      awaited = null;
      if (bits.ats() > before) {
        check(seed);
      }
    }
  }

  private void check(String seed) {
    var live = writer.live.get(name).live();
    var isCurrent = bits.incarnation().orElseThrow().equals(live.incarnation());
    acknowledged.forEach(
        (element, atNanos) -> {
          if (atNanos < bits.asOfNanos() && !isForgetting) {
            assertTrue(
                isCurrent && bits.mightContain(live, TestInstance.element(element)),
                () -> "a follower of %s lacks an element, %s".formatted(isCurrent, seed));
          }
        });
  }

  /** Until an AT of the last content that was made after now. */
  private void catchUp(String seed) {
    var from = System.nanoTime();
    for (var i = 0; bits.asOfNanos() <= from; i++) {
      assertTrue(i < 100_000, () -> "no AT at the end, " + seed);
      if (i % 10 == 0) {
        TestWatches.refreshAll(host);
        host.threads.awaitIdle();
        host.get(Followers.class).send();
      }
      take(1, seed);
    }
  }

  private void compare(String seed) {
    var live = writer.live.get(name).live();
    assertEquals(live.incarnation(), bits.incarnation().orElseThrow(), seed);
    var reader = writer.get(WholeSegments.class).reader(live);
    for (var segment = 0; segment < live.segments(); segment++) {
      try (var copy = reader.read(segment)) {
        var content = copy.content();
        for (var plane : IntStream.range(0, content.planes()).toArray()) {
          var expected = new byte[content.planeBytes()];
          if (!content.isPlaneEmpty(plane)) {
            content.copyPlane(plane, 0, expected, 0, expected.length);
          }
          assertEquals(
              HexFormat.of().formatHex(expected),
              bits.bits(new PlaneId(segment, plane), expected.length),
              seed);
        }
      }
    }
  }
}
