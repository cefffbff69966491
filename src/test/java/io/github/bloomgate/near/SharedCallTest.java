package io.github.bloomgate.near;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One question for many, never answered with what was asked before. */
class SharedCallTest {

  private final SharedCall<Integer> call = new SharedCall<>();
  private final List<UniEmitter<? super Integer>> sent = new ArrayList<>();
  private final List<String> answers = new ArrayList<>();

  @Test
  void whoAsksAloneIsAskedForAtOnce() {
    ask("a");
    assertEquals(1, sent.size());
    sent.get(0).complete(1);
    assertEquals(List.of("a=1"), answers);
    ask("b");
    assertEquals(2, sent.size());
  }

  @Test
  void whoAsksWhileOneIsUnderWaySharesTheNext() {
    ask("a");
    ask("b");
    ask("c");
    assertEquals(1, sent.size());
    sent.get(0).complete(1);
    assertEquals(2, sent.size());
    assertEquals(List.of("a=1"), answers);
    ask("d");
    sent.get(1).complete(2);
    assertEquals(List.of("a=1", "b=2", "c=2"), answers);
    sent.get(2).complete(3);
    assertEquals("d=3", answers.get(3));
    ask("e");
    assertEquals(4, sent.size());
  }

  @Test
  void aFailureIsTheFailureOfThoseWhoSharedItOnly() {
    ask("a");
    ask("b");
    sent.get(0).fail(new IllegalStateException("lost"));
    assertEquals(List.of("a!lost"), answers);
    sent.get(1).complete(2);
    assertEquals(List.of("a!lost", "b=2"), answers);
  }

  @Test
  void whoWaitsNoLongerHarmsNobody() {
    ask("a");
    var gone = call.ask(this::question).subscribe().with(answer -> answers.add("gone"));
    ask("b");
    gone.cancel();
    sent.get(0).complete(1);
    sent.get(1).complete(2);
    assertEquals(List.of("a=1", "b=2"), answers);
    assertTrue(sent.size() == 2);
  }

  private void ask(String name) {
    call.ask(this::question)
        .subscribe()
        .with(
            answer -> answers.add(name + "=" + answer),
            failure -> answers.add(name + "!" + failure.getMessage()));
  }

  private Uni<Integer> question() {
    return Uni.createFrom().emitter(sent::add);
  }
}
