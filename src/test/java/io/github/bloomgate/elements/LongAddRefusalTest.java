package io.github.bloomgate.elements;

import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static io.github.bloomgate.support.TestInstance.elements;
import static io.github.bloomgate.support.TestInstance.name;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.elements.ElementService.Placed;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.ProblemDetails;
import io.github.bloomgate.support.TestInstance;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Adds of many calls that end in an error: what was not kept, not taken, or whose filter is gone.
 */
class LongAddRefusalTest extends LongAddInstances {

  @Test
  void whatWasNotKeptIsToldAtOnce() {
    var name = first.create(name(), ONE).name();
    try (var add = begin(name, 1_000)) {
      await(add.add(elements("kept ", 20)));
      await(add.add(elements("not kept ", 200)));
      take(Step.OPEN, name, ONE);
      var failure = assertThrows(BloomException.class, () -> await(add.add(elements("late ", 30))));
      assertEquals(ErrorCode.FILTER_CHANGED, failure.code());
      assertEquals(Optional.of(new ProblemDetails.Stopped(1, 30L)), failure.facts());
      assertTrue(failure.getMessage().contains("lines 1 to 220 "), failure.getMessage());
      assertTrue(failure.getMessage().contains("replay-max-size"), failure.getMessage());
    }
    take(Step.COMMIT, name, ONE);
    second.assertMaybe(name, elements("late ", 30));
  }

  @Test
  void whatIsNotKeptMayGoOnWhileNothingHappens() {
    var name = first.create(name(), ONE).name();
    try (var add = begin(name, 0)) {
      await(add.add(elements("a ", 20)));
      await(add.add(elements("b ", 20)));
      add.acknowledge();
    }
    second.assertMaybe(name, elements("a ", 20));
    second.assertMaybe(name, elements("b ", 20));
  }

  @Test
  void aFilterThatChangesAgainAndAgainIsTold() {
    var name = first.create(name(), ONE).name();
    var changes = new AtomicInteger();
    var disturbed =
        new ElementService(first.live, first.segments, first.nextGenerations, first.metrics) {
          @Override
          Uni<Placed> place(FilterName name, List<byte[]> elements, Durability durability) {
            if (changes.getAndIncrement() > 0) {
              second.changes.clear(name);
            }
            return super.place(name, elements, durability);
          }
        };
    try (var add = new LongAdds(disturbed, ROOM).begin(name, Durability.PRIMARY)) {
      await(add.add(elements("a ", 20)));
      await(add.add(elements("b ", 10)));
      var failure = assertThrows(BloomException.class, add::acknowledge);
      assertEquals(ErrorCode.FILTER_CHANGED, failure.code());
      assertTrue(
          failure.facts().orElseThrow() instanceof ProblemDetails.Stopped, failure.getMessage());
    }
  }

  @Test
  void whatTheNewContentDoesNotTakeIsTold() {
    var name = first.create(name(), ONE).name();
    try (var add = begin(name, ROOM)) {
      await(add.add(elements("a ", 200)));
      var small = TestInstance.sized(100, 0.01, WhenFull.REJECT);
      second.openings.open(name, live -> small, AN_HOUR);
      await(add.add(elements("b ", 10)));
      var failure = assertThrows(BloomException.class, add::acknowledge);
      assertEquals(ErrorCode.FILTER_FULL, failure.code());
      assertEquals(Optional.of(new ProblemDetails.Stopped(1, 10L)), failure.facts());
    }
  }

  @Test
  void aFilterThatIsGoneIsTold() {
    var name = first.create(name(), ONE).name();
    try (var add = begin(name, ROOM)) {
      await(add.add(elements("a ", 20)));
      second.changes.delete(name, false);
      assertFails(ErrorCode.FILTER_NOT_FOUND, add.add(elements("b ", 20)));
      add.acknowledge();
    }
  }
}
