package io.github.bloomgate.elements;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.elements.ElementRequest.Kind;
import io.github.bloomgate.elements.ElementRequest.Outcome;
import io.github.bloomgate.model.Durability;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two instances add, remove and test elements of one filter at once. */
class RoundsTogetherTest extends RoundsFixture {

  /** Both names have the same content, and the requests meet in one round. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFormerNameIsGoneAlsoWhereTheNewOneIsAskedFor(boolean isFormerFirst) throws Exception {
    for (var kind : List.of(Kind.ADD, Kind.TEST)) {
      var filter = fixed(1, 1 << 17, 0, false);
      one.add(filter, "first");
      var former = filter.view();
      var renamed = filter.rename();
      var byFormer = new ElementRequest(kind, bytes("element"), Durability.PRIMARY, former);
      var byNew = new ElementRequest(kind, bytes("element"), Durability.PRIMARY, renamed);
      var requests = isFormerFirst ? List.of(byFormer, byNew) : List.of(byNew, byFormer);
      // The next round begins when this task has ended.
      var outcomes =
          one.thread
              .submit(
                  () ->
                      requests.stream()
                          .map(request -> one.rounds.send(request).subscribeAsCompletionStage())
                          .toList())
              .get();
      for (var i = 0; i < requests.size(); i++) {
        var expected = requests.get(i) == byNew ? Outcome.DONE : Outcome.GONE;
        assertEquals(expected, outcomes.get(i).get(), kind + " " + i);
      }
    }
  }
}
