package io.github.bloomgate.elements;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.store.SegmentResult;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What several layers that are asked at once answer of one element. */
class AddedElementsTest {

  @ParameterizedTest
  @CsvSource({
    "true, true, true",
    "true, false, false",
    "false, true, false",
    "false, false, false"
  })
  void itIsNewIfNoneKnowsIt(boolean first, boolean second, boolean isNew) {
    var added = new AddedElements(List.of(new byte[1]));
    for (var changedBit : List.of(first, second)) {
      added.note(
          new SegmentResult(
              new boolean[] {changedBit},
              SegmentResult.NONE,
              SegmentResult.NO_COUNTS,
              false,
              Optional.empty(),
              true,
              0),
          1,
          i -> i);
    }
    assertEquals(isNew, added.isNew()[0]);
    assertEquals(1, added.appliedCount());
  }
}
