package io.github.bloomgate.store;

import static io.github.bloomgate.store.ScriptBench.LATE;
import static io.github.bloomgate.store.ScriptBench.SOON;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.FilterName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The script that renames a filter within its slot. */
class RenameScriptTest extends FilterScriptCalls {

  @Test
  void renameMovesEveryKeyWithItsDeadline() {
    for (var deadline : List.of(NEVER, Optional.of(SOON))) {
      var filter = bench.createSeveral(deadline);
      add(filter);
      var content = content(filter.name());
      var to = ScriptBench.name();
      assertEquals("OK", rename(filter.name(), to, false));
      assertNothingLeft(filter.name());
      assertEquals(content, content(to));
      bench.assertDeadline(deadline.orElse(0L), whole(to));
      assertEquals(Map.of(incarnation(filter), "3"), bench.hash(list(to)));
      bench.assertDeadline(0, List.of(list(to)));
      assertEquals("GONE", rename(filter.name(), to, true));
    }
  }

  @Test
  void renameReplacesOnlyWhenAskedAndListsWhatWaitsToBeFreed() {
    for (var segments : List.of(1, 3)) {
      var target = bench.createSeveral(Optional.of(LATE));
      var filter =
          segments == 1 ? bench.create(1, 0, Optional.of(SOON)) : bench.createSeveral(NEVER);
      add(filter);
      var content = content(filter.name());
      assertEquals(
          "EXISTS", bench.assertWritesNothing(() -> rename(filter.name(), target.name(), false)));
      assertEquals("OK", rename(filter.name(), target.name(), true));
      assertEquals(content, content(target.name()));
      bench.assertDeadline(segments == 1 ? SOON : 0, whole(target.name()));
      bench.assertDeadline(0, List.of(list(target.name())));
      assertTrue(bench.hash(list(target.name())).containsKey(incarnation(target)));
      assertEquals(segments == 1 ? 1 : 2, bench.hash(list(target.name())).size());
      assertNothingLeft(filter.name());
    }
  }

  @Test
  void renameOntoRemainsNeedsToReplaceThem() {
    for (var key : List.of(0, 1)) {
      var target = bench.create();
      bench.redis("DEL", whole(target.name()).get(key));
      var filter = bench.create();
      var content = content(filter.name());
      assertEquals("EXISTS", rename(filter.name(), target.name(), false));
      assertEquals("OK", rename(filter.name(), target.name(), true));
      assertEquals(content, content(target.name()));
    }
  }

  @Test
  void renameLeavesForeignKeysOfTheNewNameAlone() {
    var filter = bench.create();
    var reasons = List.of("state", "bits", "segments");
    for (var i = 0; i < 3; i++) {
      var to = ScriptBench.name();
      bench.redis("RPUSH", Keys.ofFilter(to).get(i), "x");
      assertEquals(
          "TARGET_WRONG_TYPE " + reasons.get(i),
          bench.assertWritesNothing(() -> rename(filter.name(), to, true)));
    }
    bench.redis("SET", list(filter.name()), "x");
    assertEquals(
        "WRONG_TYPE segments",
        bench.assertWritesNothing(() -> rename(filter.name(), ScriptBench.name(), true)));
  }

  private static String content(FilterName name) {
    var content = bench.redis("GET", bits(name)).toString() + bench.hash(state(name));
    assertNotEquals("", content);
    return content;
  }
}
