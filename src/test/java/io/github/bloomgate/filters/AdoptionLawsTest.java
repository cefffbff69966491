package io.github.bloomgate.filters;

import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.Beside;
import io.github.bloomgate.support.TestInstance;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Law 1 on a bitmap that is a library's: one instance adopts it, lets go of it, adopts another
 * under the same name, renames, clears and rebuilds the filter, while another adds and tests and
 * the library sets bits of its own.
 */
@Tag("slow")
class AdoptionLawsTest {

  private static final int CHANGES = 20;
  private static final int CLEAR = 3;
  private static final int MOST = 3_000;

  /** What may be answered at a moment at which the filter changes. */
  private static final Set<ErrorCode> WHILE_CHANGING =
      Set.of(ErrorCode.FILTER_NOT_FOUND, ErrorCode.FILTER_CHANGED);

  private static TestRedis redis;
  private static TestInstance user;
  private static TestInstance changer;

  @BeforeAll
  static void start() {
    redis = TestRedis.started();
    user = new TestInstance(redis);
    changer = new TestInstance(redis);
  }

  @AfterAll
  static void stop() {
    user.close();
    changer.close();
    redis.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"redisson", "guava-mitz-64", "go-zero", "rueidisprob"})
  void noElementIsLostWhateverBecomesOfTheFilter(String scheme) throws Exception {
    var seed = System.nanoTime();
    System.out.println("noElementIsLostWhateverBecomesOfTheFilter " + scheme + ": seed " + seed);
    new Run(HashSchemes.named(scheme).orElseThrow(), seed).run();
  }

  /** One filter, two names it may have, two keys of the library it may have adopted. */
  private static final class Run {

    private final FilterParameters parameters;
    private final HashScheme scheme;
    private final Random random;
    private final List<FilterName> names = List.of(name(), name());
    private final List<String> keys;

    /** Odd while the filter changes in a way that others may notice. */
    private final AtomicLong epoch = new AtomicLong();

    private volatile FilterName name = names.get(0);
    private volatile String key;

    private final AddedUnderKeys added;
    private final LibraryBits library;

    /** The library knows nothing of a rebuild, so what it adds meanwhile is not in it. */
    private final ReentrantReadWriteLock rebuilding = new ReentrantReadWriteLock();

    private final AtomicLong rounds = new AtomicLong();
    private final AtomicLong libraryRounds = new AtomicLong();
    private final AtomicBoolean done = new AtomicBoolean();

    private Run(HashScheme scheme, long seed) {
      this.scheme = scheme;
      this.random = new Random(seed);
      this.keys =
          scheme.keyProblem("lib").isEmpty()
              ? List.of("lib " + name(), "{lib} " + name())
              : List.of("{lib " + name() + "}", "{" + name() + "}");
      this.key = keys.get(0);
      var k = scheme.defaultNumHashFunctions().orElse(5);
      this.parameters = FilterParameters.forShape(scheme, 8_388_617, k, WhenFull.ACCEPT);
      this.added = new AddedUnderKeys(keys, epoch);
      this.library = new LibraryBits(redis, scheme, parameters.shape());
    }

    private void run() throws Exception {
      adopt();
      var beside =
          List.of(
              Beside.run(() -> use(user, "user")),
              Beside.run(() -> use(changer, "changer")),
              Beside.run(this::useLibrary));
      try {
        for (var i = 0; i < CHANGES; i++) {
          awaitProgress(beside);
          // A filter that is full answers maybe whatever was lost.
          change(added.sentCount(key) > MOST ? CLEAR : random.nextInt(7));
        }
        awaitProgress(beside);
      } finally {
        done.set(true);
      }
      for (var task : beside) {
        task.get(60, TimeUnit.SECONDS);
      }
      user.assertCountsAreExact(name);
      for (var each : keys) {
        adoptInstead(each);
        user.assertMaybe(name, added.all(each));
        library.assertFinds(key, added.all(each));
      }
    }

    private void change(int kind) {
      switch (kind) {
        case 0 -> noticeably(this::adoptAgain);
        case 1 -> noticeably(() -> adoptInstead(other(keys, key)));
        case 2 ->
            noticeably(
                () -> {
                  var to = other(names, name);
                  changer.renames.rename(name, to, false);
                  name = to;
                });
        case CLEAR ->
            noticeably(
                () -> {
                  changer.changes.clear(name);
                  added.forget(key);
                });
        case 4 ->
            noticeably(
                () -> {
                  // Another filter of the name, which has nothing to do with the key.
                  changer.changes.delete(name, false);
                  changer.create(name, TestInstance.shape(1_000_000, 3));
                  await(changer.elements.add(name, TestInstance.elements("x", 10)));
                  adoptAgain();
                });
        case 5 ->
            noticeably(
                () -> {
                  var from = name();
                  changer.create(from, TestInstance.shape(1_000_000, 3));
                  changer.renames.rename(from, name, true);
                  adoptAgain();
                });
        default -> rebuild();
      }
    }

    private void noticeably(Runnable change) {
      rebuilding.writeLock().lock();
      epoch.incrementAndGet();
      try {
        change.run();
      } finally {
        epoch.incrementAndGet();
        rebuilding.writeLock().unlock();
      }
    }

    private void adoptAgain() {
      changer.changes.delete(name, false);
      adopt();
    }

    private void adoptInstead(String instead) {
      changer.changes.delete(name, false);
      key = instead;
      adopt();
    }

    private void adopt() {
      var made =
          changer.adoptions.adopt(
              name, key, scheme, Optional.of(parameters), Optional.empty(), Quota.NONE);
      assertTrue(made.created());
    }

    /** Nobody notices: who adds does so to both, and who tests finds all that was added. */
    private void rebuild() {
      rebuilding.writeLock().lock();
      try {
        var next = changer.openings.open(name, live -> live, Duration.ofHours(1));
        var all = added.sent(key);
        for (var from = 0; from < all.size(); from += 1_000) {
          var part = all.subList(from, Math.min(all.size(), from + 1_000));
          await(changer.loads.load(next, part));
        }
        if (random.nextInt(4) == 0) {
          assertTrue(changer.rebuilds.abort(next));
        } else {
          changer.rebuilds.commit(next, 0, NewDeadline.KEEP);
        }
      } finally {
        rebuilding.writeLock().unlock();
      }
    }

    private void use(TestInstance instance, String who) {
      for (var round = 0; !done.get(); round++) {
        if (added.sentCount(key) > 2 * MOST) {
          rounds.incrementAndGet();
          Thread.onSpinWait();
          continue;
        }
        var before = epoch.get();
        var batch = TestInstance.elements(who + round + ".", 20);
        var to = name;
        var under = key;
        try {
          if (before % 2 == 0 && added.send(under, batch, before)) {
            await(instance.elements.add(to, batch));
            added.acknowledge(under, batch, before);
            var known = added.known(under);
            var answers = await(instance.elements.test(to, known));
            if (epoch.get() == before) {
              assertEquals(known.size(), answers.trueCount(), who + " in round " + round);
            }
          }
        } catch (BloomException failure) {
          assertTrue(epoch.get() != before, failure.getMessage());
          assertTrue(WHILE_CHANGING.contains(failure.code()), failure.getMessage());
        }
        rounds.incrementAndGet();
      }
    }

    /** Sets and reads bits as they are, whatever the service does. */
    private void useLibrary() {
      for (var round = 0; !done.get(); round++) {
        rebuilding.readLock().lock();
        try {
          var under = key;
          var batch = TestInstance.elements("library" + round + ".", 2);
          added.send(under, batch, epoch.get());
          library.add(under, batch);
          added.acknowledge(under, batch, epoch.get());
          user.assertMaybe(name, batch);
          var known = added.known(under);
          library.assertFinds(key, known.subList(Math.max(0, known.size() - 8), known.size()));
        } finally {
          rebuilding.readLock().unlock();
        }
        libraryRounds.incrementAndGet();
      }
    }

    private static <T> T other(List<T> two, T one) {
      return two.get(1 - two.indexOf(one));
    }

    private void awaitProgress(List<CompletableFuture<Void>> beside) {
      var enough = rounds.get() + 4;
      var libraryEnough = libraryRounds.get() + 1;
      Awaitility.await()
          .atMost(TestInstance.PATIENCE)
          .pollInterval(Duration.ofMillis(1))
          .until(
              () ->
                  (rounds.get() >= enough && libraryRounds.get() >= libraryEnough)
                      || beside.stream().anyMatch(CompletableFuture::isDone));
      beside.stream().filter(CompletableFuture::isCompletedExceptionally).forEach(t -> t.join());
    }
  }
}
