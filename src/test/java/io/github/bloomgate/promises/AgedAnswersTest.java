package io.github.bloomgate.promises;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.elements.Flags;
import io.github.bloomgate.elements.TestWatches;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.AnyKind;
import io.github.bloomgate.support.OnRedis;
import io.github.bloomgate.support.TestExtent;
import io.github.bloomgate.support.TestInstance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An answer lacks no element whose add was acknowledged more than its age ago, whatever another
 * instance does between the requests and the replies of the one that answers.
 */
@Tag("fuzz")
@OnRedis
class AgedAnswersTest {

  private static final long SEED = Long.getLong("test.model-seed", System.nanoTime());
  private static final int HISTORIES = TestExtent.of("test.model-interleavings", 60, 10_000) / 6;
  private static final int STEPS = 200;
  private static final int BATCH = 20;
  private static final Duration AN_HOUR = Duration.ofHours(1);

  private static TestRedis redis;
  private static TestInstance writer;

  private TestInstance reader;
  private int answeredByCopies;

  /** When the add of each element of the content was acknowledged. */
  private final Map<String, Long> acknowledged = new HashMap<>();

  private final List<Asked> asked = new ArrayList<>();

  /**
   * A test that has begun.
   *
   * @param inCopies whether it was answered at once, without Redis
   */
  private record Asked(
      long atNanos,
      boolean inCopies,
      List<String> elements,
      Map<String, Long> acknowledged,
      CompletableFuture<Flags> answer) {}

  @BeforeEach
  void start() {
    System.out.printf("aged answers: -Dtest.model-seed=%d%n", SEED);
    reader = TestInstance.stepwise(redis);
  }

  @AfterEach
  void stop() {
    reader.close();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "ADOPTED")
  void noAnswerLacksAnOlderAdd(AnyKind kind) {
    for (var i = 0; i < HISTORIES; i++) {
      history(kind, new Random(SEED + i), "-Dtest.model-seed=%d".formatted(SEED + i));
    }
    assertTrue(answeredByCopies > HISTORIES, "few answers came from copies alone");
  }

  private void history(AnyKind kind, Random random, String seed) {
    reader.steps().release();
    acknowledged.clear();
    asked.clear();
    var name = kind.create(writer);
    add(name, random);
    reader.steps().hold();
    for (var step = 0; step < STEPS; step++) {
      step(name, random);
      check(seed);
    }
    reader.steps().release();
    asked.forEach(one -> flags(one.answer));
    check(seed);
  }

  private void step(FilterName name, Random random) {
    switch (random.nextInt(14)) {
      case 0, 1, 2 -> add(name, random);
      case 3 -> change(name, random);
      case 4 -> writer.fold();
      case 5, 6 -> TestWatches.refreshAll(reader);
      case 7 -> reader.steps().lose();
      case 8, 9, 10 -> test(name, random);
      default -> {
        while (reader.steps().canExecute() && random.nextInt(4) != 0) {
          reader.steps().execute();
        }
        while (reader.steps().canAnswer() && random.nextInt(4) != 0) {
          reader.steps().answer();
        }
      }
    }
  }

  private void add(FilterName name, Random random) {
    var added = new ArrayList<String>();
    for (var i = random.nextInt(BATCH); i >= 0; i--) {
      added.add("e" + random.nextLong());
    }
    writer.add(name, added.stream().map(TestInstance::element).toList());
    added.forEach(element -> acknowledged.put(element, System.nanoTime()));
  }

  private void change(FilterName name, Random random) {
    // Tests that wait may be answered by the new content.
    asked.clear();
    if (random.nextBoolean()) {
      acknowledged.clear();
      writer.changes.clear(name);
    } else {
      TestInstance.openNext(writer, name);
      acknowledged.clear();
      add(name, random);
      writer.rebuild(name).commit(0, NewExpiry.KEEP);
    }
  }

  private void test(FilterName name, Random random) {
    var some = List.copyOf(acknowledged.keySet());
    var maxAge =
        random.nextInt(3) == 0 ? Duration.ofNanos(1 + random.nextInt(10_000_000)) : AN_HOUR;
    var elements = some.stream().map(TestInstance::element).toList();
    var now = System.nanoTime();
    var answer =
        reader
            .elements
            .test(name, elements, Optional.of(maxAge), Client.SERVICE)
            .subscribeAsCompletionStage();
    asked.add(new Asked(now, answer.isDone(), some, Map.copyOf(acknowledged), answer));
  }

  /** Checks the answers that have arrived. */
  private void check(String seed) {
    for (var one : List.copyOf(asked)) {
      if (one.answer.isDone()) {
        asked.remove(one);
        flags(one.answer).ifPresent(flags -> check(one, flags, seed));
      }
    }
  }

  private void check(Asked one, Flags flags, String seed) {
    var age = flags.age().orElseThrow();
    answeredByCopies += one.inCopies ? 1 : 0;
    // Redis was asked after the test began.
    var asOf = one.inCopies ? one.atNanos - age.toNanos() : one.atNanos;
    for (var i = 0; i < one.elements.size(); i++) {
      var element = one.elements.get(i);
      assertTrue(
          flags.flags()[i] || one.acknowledged.get(element) - asOf > 0,
          "%s is missing after %s; %s".formatted(element, age, seed));
    }
  }

  /** The answer; empty if it failed because of a lost connection or many changes. */
  private static Optional<Flags> flags(CompletableFuture<Flags> answer) {
    var failure = answer.handle((flags, thrown) -> thrown).join();
    if (failure == null) {
      return Optional.of(answer.join());
    }
    assertTrue(
        ErrorCode.STORE_UNAVAILABLE.isOf(failure) || ErrorCode.FILTER_CHANGED.isOf(failure),
        failure::toString);
    return Optional.empty();
  }
}
