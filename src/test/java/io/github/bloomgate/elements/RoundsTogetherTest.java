package io.github.bloomgate.elements;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.elements.ElementRequest.Kind;
import io.github.bloomgate.elements.ElementRequest.Outcome;
import io.github.bloomgate.model.Durability;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that meet in one round. */
class RoundsTogetherTest extends RoundsFixture {

  /** A block has either adds or removals, so the removal waits for the next round. */
  @Test
  void aRemovalBetweenAddsIsMadeOnce() throws Exception {
    var filter = counting(1, 1 << 17);
    one.add(filter, "removed", "removed");
    var first = request(Kind.ADD, filter, "first");
    var removal = request(Kind.REMOVE, filter, "removed");
    var last = request(Kind.ADD, filter, "last");
    for (var outcome : one.sendTogether(first, removal, last)) {
      assertEquals(Outcome.DONE, outcome.get());
    }
    for (var instance : List.of(one, other)) {
      var counts = instance.run(filter, Kind.COUNT, "first", "removed", "last").times();
      assertArrayEquals(new byte[] {1, 1, 1}, counts);
    }
  }

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
      var outcomes =
          isFormerFirst ? one.sendTogether(byFormer, byNew) : one.sendTogether(byNew, byFormer);
      assertEquals(Outcome.GONE, outcomes.get(isFormerFirst ? 0 : 1).get(), kind.name());
      assertEquals(Outcome.DONE, outcomes.get(isFormerFirst ? 1 : 0).get(), kind.name());
    }
  }
}
