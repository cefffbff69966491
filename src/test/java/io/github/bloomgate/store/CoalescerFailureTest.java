package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls of the coalescer that fail, are cancelled or leave something undone. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class CoalescerFailureTest extends CoalescedCalls {

  @Test
  void aFailureIsThatOfAllInTheCallAndTheWaitingAreSentOn() {
    fill();
    var started = calls.size();
    var together = IntStream.range(0, 6).mapToObj(i -> send("b" + i)).toList();
    assertEquals(started + 1, calls.size());
    var waiting = IntStream.range(0, 3).mapToObj(i -> send("c" + i)).toList();
    var failure = new IllegalStateException("lost");
    for (var call : List.copyOf(calls)) {
      call.emitter().fail(failure);
    }
    for (var one : together) {
      assertSame(failure, one.getFailure());
    }
    assertEquals(List.of("c0", "c1", "c2"), last().batches());
    last().answer();
    for (var i = 0; i < 3; i++) {
      waiting.get(i).assertItem("(c" + i + ")");
    }
  }

  @Test
  void aCallThatCannotBeMadeFailsThoseInItOnly() {
    var broken = new AtomicInteger();
    var failing =
        new Coalescer<String, String, String>(
            destination -> ROOM,
            String::length,
            (destination, batches) -> {
              if (broken.getAndIncrement() == 0) {
                throw new IllegalStateException("cannot be made");
              }
              return Uni.createFrom().item(batches);
            });
    for (var expected : List.of("cannot be made", "")) {
      var answer = failing.send("x", "a").subscribe().withSubscriber(UniAssertSubscriber.create());
      if (expected.isEmpty()) {
        answer.assertItem("a");
      } else {
        answer.assertFailedWith(IllegalStateException.class, expected);
      }
      assertEquals(0, failing.busy());
    }
  }

  @Test
  void answersToMoreOrToNoneAreAFailure() {
    for (var answers : List.of(List.<String>of(), List.of("(a)", "(b)"))) {
      var answer = send("a");
      last().emitter().complete(answers);
      answer.assertFailedWith(IllegalStateException.class);
    }
  }

  @Test
  void whoeverIsCancelledWhileWaitingIsNotSentAndHarmsNobody() {
    fill();
    var b = send("b");
    var c = send("c");
    var d = send("d");
    c.cancel();
    calls.get(0).answer();
    assertEquals(List.of("b", "d"), last().batches());
    b.cancel();
    last().answer();
    b.assertNotTerminated();
    c.assertNotTerminated();
    d.assertItem("(d)");
  }

  @Test
  void whereAllWaitingAreCancelledNothingIsSent() {
    fill();
    var started = calls.size();
    send("b").cancel();
    send("c").cancel();
    answerAll();
    assertEquals(started, calls.size());
    assertEquals(0, coalescer.busy());
  }

  @Test
  void whatACallLeavesUndoneIsSentAgainInTwo() {
    fill();
    var all = IntStream.range(0, 6).mapToObj(i -> send("" + i)).toList();
    calls.get(0).answer();
    var call = last();
    assertEquals(6, call.batches().size());
    send("later");
    call.emitter().complete(List.of("(0)"));
    all.get(0).assertItem("(0)");
    var n = calls.size();
    assertEquals(List.of(List.of("1", "2", "3"), List.of("4", "5")), sent().subList(n - 2, n));
    all.get(4).cancel();
    calls.get(n - 2).emitter().complete(List.of("(1)", "(2)"));
    assertEquals(List.of("3"), last().batches());
    answerAll();
    for (var i : List.of(1, 2, 3, 5)) {
      all.get(i).assertItem("(" + i + ")");
    }
    all.get(4).assertNotTerminated();
  }
}
