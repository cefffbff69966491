package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.redis.Script;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What scripts on the elements of a later segment see of the filter's first one. */
class FirstSegmentScriptsTest extends ReconcilingScripts {

  private Filter filter;
  private String firstState;
  private String firstBits;

  @BeforeEach
  void create() {
    filter = bench.create(3, 0, NEVER);
    bench.make(filter, 1, "one");
    assertEquals("OK", bench.activate(filter, 1, "one"));
    var first = Keys.ofSegment(filter, 0);
    firstState = first.get(0);
    firstBits = first.get(1);
  }

  private String run(Script script) {
    var keys = Keys.withFirst(filter, 1);
    return switch (script) {
      case ADD -> bench.run(script, keys, filter.generation(), 3, ScriptBench.MARK, 0, 1, 2, 3);
      case REMOVE -> bench.run(script, keys, filter.generation(), 3, ScriptBench.MARK, 1, 2, 3);
      default -> bench.run(script, keys, filter.generation(), 3, 1, 2, 3);
    };
  }

  @ParameterizedTest
  @EnumSource(names = {"ADD", "TEST", "REMOVE", "MULTIPLICITY"})
  void whatItRefusesIsDoneInNoLaterSegment(Script script) {
    bench.redis("HSET", firstState, "moving", "a move");
    assertRefused("MOVING a move", script);
    bench.redis("HDEL", firstState, "moving");
    bench.redis("HSET", firstState, "generation", "another");
    assertRefused("STALE another", script);
    bench.redis("HSET", firstState, "generation", filter.generation());
    bench.redis("HDEL", firstState, "generation");
    assertRefused("DAMAGED firstState", script);
    bench.redis("DEL", firstState);
    assertRefused("DAMAGED firstState", script);
    bench.redis("HSET", firstState, "generation", filter.generation());
    bench.redis("DEL", firstBits);
    assertRefused("DAMAGED firstBits", script);
    bench.redis("LPUSH", firstBits, "theirs");
    assertRefused("WRONG_TYPE firstBits", script);
    bench.redis("DEL", firstState);
    bench.redis("LPUSH", firstState, "theirs");
    assertRefused("WRONG_TYPE firstState", script);
    bench.redis("DEL", firstState, firstBits);
    assertRefused("STALE", script);
  }

  private void assertRefused(String answer, Script script) {
    assertEquals(answer, bench.assertWritesNothing(() -> run(script)), script::fileName);
    assertEquals(0, bench.redis("BITCOUNT", Keys.ofSegment(filter, 1).get(1)).toInteger());
  }

  /** A later segment does not know of a rebuild. */
  @Test
  void itTellsWhatARebuildLoads() {
    assertEquals("OK 1", run(Script.ADD));
    var next = filter.generation().next();
    bench.redis("HSET", firstState, "next", next);
    assertEquals("OK 0 " + next, run(Script.ADD));
    assertEquals("OK 1 0", run(Script.TEST));
  }
}
