package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.name;

import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.support.TestCounters;
import io.github.bloomgate.support.TestInstance;
import io.github.bloomgate.support.TestWindows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is done by hand to counters and windows of a segment with a journal is told by its right
 * name to all.
 */
class DamagedCountsTest extends DamagedSegment {

  private static final FilterParameters FORGETS =
      TestWindows.sized(16_000, TestWindows.years(4, true));
  private static final FilterParameters COUNTS = TestCounters.counting(16_000);

  @ParameterizedTest
  @EnumSource
  void soTheyAreWhereElementsAreForgotten(Harm harm) {
    create(FORGETS, 0);
    harm(harm);
    assertAllFail(harm.told);
  }

  @ParameterizedTest
  @EnumSource
  void soTheyAreWhereElementsAreCounted(Harm harm) {
    create(COUNTS, 0);
    harm(harm);
    assertAllFail(harm.told);
    assertFails(harm.told, () -> holder.remove(name, SECOND));
    assertFails(harm.told, () -> without.remove(name, SECOND));
    assertFails(harm.told, () -> without.count(name, SECOND));
  }

  @ParameterizedTest
  @CsvSource({
    "countersAbove0, nan",
    "countersFull, nan",
    "countersFull, 1000000",
    "countersAbove0, 1",
    "counting, 2",
    "format, 1"
  })
  void soTheyAreOfTheFieldsOfCounters(String field, String value) {
    create(COUNTS, 0);
    redis.command("HSET", state, field, value);
    if (field.equals("format")) {
      assertFails(ErrorCode.FILTER_DAMAGED, () -> holder.describe(name));
    } else {
      assertAllFail(ErrorCode.FILTER_DAMAGED);
    }
  }

  @Test
  void whereCountersAreLostNobodyTakesThemForBits() {
    create(COUNTS, 0);
    redis.command("HDEL", state, "counting");
    assertAllFail(ErrorCode.FILTER_DAMAGED);
  }

  /** Counters are counted when a segment is read. */
  @Test
  void aWrongNumberOfCountersIsToldToWhomeverReadsThem() {
    create(COUNTS, 0);
    redis.command("HINCRBY", state, "countersAbove0", "-1");
    assertThere(holder);
    try (var fresh = new TestInstance(redis)) {
      assertFails(ErrorCode.FILTER_DAMAGED, fresh);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "slice, nan",
    "taken, nan",
    "newestSlice, nan",
    "window, 8 1 60",
    "window, ''",
    "format, 1"
  })
  void soTheyAreOfTheFieldsOfAWindow(String field, String value) {
    create(FORGETS, 0);
    redis.command("HSET", state, field, value);
    if (field.equals("format")) {
      assertFails(ErrorCode.FILTER_DAMAGED, () -> holder.describe(name));
    } else {
      assertAllFail(ErrorCode.FILTER_DAMAGED);
    }
  }

  /** Elements are answered all the same: these counts are for figures alone. */
  @ParameterizedTest
  @ValueSource(strings = {"1 2 3", "", "a 0 0 0 0", "-1 1 0 0 0", "0 0 0 0 0"})
  void whoDescribesAWindowSaysThatItsCountsAreDamaged(String held) {
    create(FORGETS, 0);
    holder.fold(filter);
    redis.command("HSET", state, "ringBitsSet", held);
    assertFails(ErrorCode.FILTER_DAMAGED, () -> holder.describe(name));
  }

  @Test
  void whereTheWindowIsLostNobodyTakesItForAFilterThatForgetsNothing() {
    create(FORGETS, 0);
    redis.command("HDEL", state, "window");
    assertAllFail(ErrorCode.FILTER_DAMAGED);
  }
}
