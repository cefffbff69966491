package io.github.bloomgate.promises;

import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.Plain;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.AppendOnlyFile;
import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.TestInstance;
import io.github.bloomgate.support.TestWindows;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A Redis killed while writing the changes of a script leaves an unfinished transaction in its
 * append-only file. The next start ignores it, but the one after that executes it, before later
 * writes.
 */
@Tag("slow")
class UnfinishedTransactionTest {

  /** Allowed errors while Redis restarts. */
  private static final Set<ErrorCode> AWAY =
      Set.of(ErrorCode.STORE_UNAVAILABLE, ErrorCode.STORE_OUTCOME_UNKNOWN);

  private static final List<byte[]> FIRST = elements("first ", 60);
  private static final List<byte[]> CUT = elements("cut ", 90);
  private static final List<byte[]> AFTER = elements("after ", 40);
  private static final List<byte[]> LAST = elements("last ", 60);

  static Stream<FilterParameters> kinds() {
    return Stream.of(
        TestInstance.shape(1_000_000, 7),
        TestInstance.SEVERAL,
        TestInstance.sized(100_000, 1e-6, WhenFull.REJECT),
        TestInstance.counting(100_000),
        new Growth(10, 1 << 24).parameters(HashSchemes.nativeScheme(), 1_000, 1e-6),
        TestWindows.sized(100_000, TestWindows.MINUTE));
  }

  /**
   * The file is truncated within each command or after it, and another add to the same filter may
   * follow.
   */
  @ParameterizedTest
  @MethodSource("kinds")
  void acknowledgedWritesSurviveAnyTruncation(FilterParameters kind) throws Exception {
    try (var redis = TestRedis.started("--appendonly", "yes", "--appendfsync", "always");
        var service = new TestInstance(redis);
        var beside = new TestInstance(redis);
        var without = TestInstance.withoutCopies(redis)) {
      var other = name();
      service.create(other, kind);
      service.add(other, FIRST);
      var cuts = 1;
      for (var cut = 0; cut < cuts; cut++) {
        for (var isFollowed : new boolean[] {true, false}) {
          var name = name();
          var next = isFollowed ? name : other;
          service.create(name, kind);
          service.add(name, elements("warm ", 1_500));
          service.add(name, FIRST);
          beside.assertMaybe(name, FIRST);
          service.add(name, CUT);

          redis.kill();
          var file = new AppendOnlyFile(redis.folder());
          var ends = file.endsOfLastJournaled();
          cuts = 2 * (ends.size() - 1);
          file.cut(ends.get(cut / 2) + 6L * (cut % 2));
          redis.start();
          awaitService(service, name);
          if (kind.kind() instanceof Plain || kind.kind() instanceof Growth) {
            service.add(next, AFTER);
            // Describing the filter reads its whole segment, including the journal.
            service.describe(next);
          } else {
            // A later change of the bitmap would make this damage, because no copy is dropped here.
            try (var late = new TestInstance(redis)) {
              late.add(next, AFTER);
            }
          }

          redis.kill();
          redis.start();
          awaitService(service, name);
          if (cut % 3 == 0) {
            service.describe(name);
          }
          for (var instance : List.of(service, beside, without)) {
            awaitService(instance, name);
            instance.assertMaybe(name, FIRST);
            instance.assertMaybe(next, AFTER);
          }
          beside.add(name, LAST);
          without.assertMaybe(name, LAST);
          service.assertMaybe(name, LAST);
          service.assertCountsAreExact(name);
        }
      }
      assertTrue(cuts > 2, "nothing was journaled");
    }
  }

  private static void awaitService(TestInstance service, FilterName name) {
    Awaitility.await()
        .ignoreExceptionsMatching(
            failure -> failure instanceof BloomException error && AWAY.contains(error.code()))
        .until(() -> service.answers(name));
  }
}
