package io.github.bloomgate.filters;

import static io.github.bloomgate.support.TestInstance.assertFails;
import static io.github.bloomgate.support.TestInstance.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.store.Move;
import io.github.bloomgate.support.TestInstance;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.impl.ZModem;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Renames to a name in another slot, cut short after each step of theirs and held up there. Who
 * comes next, two other instances of the service, always finds one filter under one name, with all
 * that was ever acknowledged.
 */
abstract class RenameAcrossSlots extends FiltersInSlots {

  @Tag("slow")
  @ParameterizedTest
  @EnumSource
  void oneThatDiesAfterAnyStepIsFinishedOrUndone(Kind kind) {
    cutAfterEachStep(kind, false);
  }

  @Tag("slow")
  @ParameterizedTest
  @EnumSource
  void oneThatIsHeldUpAfterAnyStepDoesNoHarmWhenItGoesOn(Kind kind) {
    cutAfterEachStep(kind, true);
  }

  private void cutAfterEachStep(Kind kind, boolean goesOn) {
    var ended = false;
    for (var steps = 0; !ended; steps++) {
      var from = newName();
      var to = inAnotherSlot(from);
      var deadline = prepare(kind, from, to);
      try (var cut = stepwise()) {
        cut.steps().hold();
        var renamed = cut.begin(() -> cut.renames.rename(from, to, kind.replaces()));
        cut.go(steps);
        ended = renamed.isDone();
        if (goesOn) {
          first.add(theOneAlive(kind, from, to), MORE);
          cut.steps().release();
          Awaitility.await().atMost(TestInstance.PATIENCE).until(renamed::isDone);
          second.assertMaybe(theOneAlive(kind, from, to), MORE);
        }
      }
      var alive = theOneAlive(kind, from, to);
      assertEquals(ended ? to : alive, alive);
      first.add(alive, MORE);
      assertIsWhole(kind, alive, deadline);
      var gone = alive.equals(from) ? to : from;
      later.reconciler.reconcileAbandoned();
      assertNothingElseLeft(
          alive, kind.replaces() && gone.equals(to) ? keys(to, 2) : List.of(), gone);
      first.changes.delete(alive, false);
    }
  }

  @Test
  void whoComesDuringAMoveWaitsForItsEnd() {
    for (var arrives : List.of(false, true)) {
      var from = newName();
      var to = inAnotherSlot(from);
      prepare(Kind.WITH_EVERYTHING, from, to);
      var moves = first.stores.moves();
      var move = Move.begin(from, to);
      moves.open(move);
      var departure = moves.fence(move).orElseThrow();
      var add = second.elements.add(from, MORE).subscribeAsCompletionStage();
      var test = first.elements.test(from, ELEMENTS).subscribeAsCompletionStage();
      var load =
          second
              .loads
              .find(from, Optional.empty())
              .chain(next -> second.loads.load(next, MORE))
              .subscribeAsCompletionStage();
      moves.copy(move, departure);
      second.assertMaybe(to, OTHERS);
      if (arrives) {
        moves.commit(move, departure, true);
        second.assertMaybe(to, ELEMENTS);
      }
      assertFalse(add.isDone() || test.isDone() || load.isDone());
      assertEquals(Optional.of(arrives), moves.end(move, true));
      if (arrives) {
        assertFails(ErrorCode.FILTER_NOT_FOUND, Uni.createFrom().completionStage(add));
        assertFails(ErrorCode.FILTER_NOT_FOUND, Uni.createFrom().completionStage(test));
        assertFails(ErrorCode.REBUILD_NOT_FOUND, Uni.createFrom().completionStage(load));
      } else {
        assertEquals(MORE.size(), await(Uni.createFrom().completionStage(add)).trueCount());
        assertEquals(ELEMENTS.size(), await(Uni.createFrom().completionStage(test)).trueCount());
        await(Uni.createFrom().completionStage(load));
      }
    }
  }

  @Test
  void aNameThatIsTakenStaysAndSoDoesTheOther() {
    var from = newName();
    var to = inAnotherSlot(from);
    prepare(Kind.WITH_EVERYTHING, from, to);
    assertFails(ErrorCode.FILTER_EXISTS, () -> second.renames.rename(from, to, false));
    assertEquals(from, theOneAlive(Kind.WITH_EVERYTHING, from, to));
    assertFails(ErrorCode.FILTER_NOT_FOUND, () -> second.renames.rename(newName(), to, true));
    second.assertMaybe(to, OTHERS);
  }

  @Test
  void twoFiltersThatChangePlacesDoNotWaitForEachOtherForEver() {
    var one = newName();
    var other = inAnotherSlot(one);
    prepare(Kind.WITH_EVERYTHING, one, other);
    try (var cut = stepwise()) {
      cut.steps().hold();
      var unused = cut.begin(() -> cut.renames.rename(other, one, true));
      while (on(state(other), "HGET", state(other), "moving") == null) {
        cut.go(1);
      }
      second.renames.rename(one, other, true);
      assertEquals(other, theOneAlive(Kind.PLAIN, one, other));
    }
  }

  @Test
  void aFilterIsRenamedToAndFroWithWhatItHas() {
    var from = newName();
    var to = inAnotherSlot(from);
    var deadline = prepare(Kind.WITH_EVERYTHING, from, to);
    first.renames.rename(from, to, true);
    first.add(to, MORE);
    second.renames.rename(to, from, false);
    assertIsWhole(Kind.WITH_EVERYTHING, from, deadline);
    assertNothingElseLeft(from, List.of(), to);
  }

  @Test
  void aFilterThatHasAdoptedAKeyIsToldWhichNamesItCanHave() {
    var scheme = HashSchemes.named("go-zero").orElseThrow();
    var shape = FilterParameters.forShape(scheme, 1_024, 14, WhenFull.ACCEPT);
    var from = newName();
    var to = inAnotherSlot(from);
    var key = "some key {" + from + "}";
    first.adoptions.adopt(from, key, scheme, Optional.of(shape), Optional.empty(), Quota.NONE);
    first.add(from, ELEMENTS);
    var refused = assertThrows(BloomException.class, () -> rename(from, to));
    assertEquals(ErrorCode.INVALID_REQUEST, refused.code(), refused.getMessage());
    first.assertMaybe(from, ELEMENTS);
    var fitting = new FilterName(between(refused.getMessage(), "such as '", "'"));
    assertEquals(ZModem.generate(key), ZModem.generate(fitting.value()));
    assertThrows(BloomException.class, () -> rename(from, to));
  }

  private void rename(FilterName from, FilterName to) {
    second.renames.rename(from, to, false);
  }

  static String between(String text, String before, String after) {
    var begin = text.indexOf(before) + before.length();
    return text.substring(begin, text.indexOf(after, begin));
  }
}
