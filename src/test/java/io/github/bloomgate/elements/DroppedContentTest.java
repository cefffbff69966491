package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.SEVERAL;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.support.Beside;
import io.github.bloomgate.support.TestInstance;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Law 1 where one instance drops the content of the filter another one uses and remembers. */
class DroppedContentTest extends UserAndChanger {

  /** A filter's names and the parameters it may be created again with. */
  static List<List<FilterParameters>> kinds() {
    return List.of(
        List.of(TestInstance.shape(100_000, 7), TestInstance.shape(70_000, 3)),
        List.of(SEVERAL, TestInstance.shape(2 * (1L << 24), 5)),
        List.of(SEVERAL, TestInstance.shape(100_000, 4)));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void noElementIsLostWhereAFilterIsCreatedAnew(List<FilterParameters> kinds) throws Exception {
    var name = name();
    changer.create(name, kinds.get(0));
    dropContentWhileUsed(
        name,
        round -> {
          changer.changes.delete(name, false);
          changer.create(name, kinds.get(round % 2));
        });
    changer.changes.delete(name, false);
    assertEquals(List.of(), changer.keysWith(name.value()));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void noElementIsLostWhereAFilterIsCleared(List<FilterParameters> kinds) throws Exception {
    var name = name();
    changer.create(name, kinds.get(0));
    dropContentWhileUsed(name, round -> changer.changes.clear(name));
    user.assertCountsAreExact(name);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void noElementIsLostWhereAFilterIsReplaced(List<FilterParameters> kinds) throws Exception {
    var name = name();
    changer.create(name, kinds.get(0));
    dropContentWhileUsed(
        name,
        round -> {
          var next = name();
          changer.create(next, kinds.get(round % 2));
          changer.renames.rename(next, name, true);
        });
    user.assertCountsAreExact(name);
  }

  /**
   * One instance drops the content again and again; the other adds and tests. What was added
   * between two drops, whole, must be there until the second.
   */
  private static void dropContentWhileUsed(FilterName name, Change drop) throws Exception {
    // Odd while the content is being dropped.
    var epoch = new AtomicLong();
    var rounds = new AtomicLong();
    var done = new AtomicBoolean();
    var use =
        Beside.run(
            () -> {
              var known = new ArrayList<byte[]>();
              var knownIn = -1L;
              for (var round = 0; !done.get(); round++) {
                var batch = elements("round " + round + ".", 40);
                var before = epoch.get();
                if (before != knownIn) {
                  known.clear();
                  knownIn = before;
                }
                try {
                  user.add(name, batch);
                  if (before % 2 == 0 && epoch.get() == before) {
                    known.addAll(batch);
                  }
                  var answers = await(user.elements.test(name, known.isEmpty() ? batch : known));
                  if (before % 2 == 0 && epoch.get() == before) {
                    assertEquals(answers.flags().length, answers.trueCount(), "round " + round);
                  }
                } catch (BloomException failure) {
                  assertPermitted(failure);
                  assertTrue(before % 2 == 1 || epoch.get() != before, failure.getMessage());
                }
                rounds.incrementAndGet();
              }
            });
    try {
      for (var i = 0; i < 25; i++) {
        awaitProgress(rounds, 3, use);
        epoch.incrementAndGet();
        drop.run(i);
        epoch.incrementAndGet();
      }
      awaitProgress(rounds, 3, use);
    } finally {
      done.set(true);
    }
    use.get(60, TimeUnit.SECONDS);
  }

  @FunctionalInterface
  private interface Change {
    void run(int round);
  }
}
