package io.github.bloomgate.elements;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.elements.ElementRequest.Kind;
import io.github.bloomgate.elements.ElementRequest.Outcome;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.redis.ScriptWork;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that join the same round. */
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

  /** Law 7, with a filter of the most segments: a round leaves some segments for later rounds. */
  @Test
  void theSegmentsOfACallAreLimited() {
    var filter = fixed(4_096, 64, 0, false);
    var elements = IntStream.range(0, 25_000).mapToObj(i -> "e" + i).toArray(String[]::new);
    try (var work = new ScriptWork(redis)) {
      one.run(filter, Kind.ADD, elements);
      other.run(filter, Kind.TEST, elements);
      for (var call : work.calls()) {
        assertTrue(call.keys().size() <= 601, call.keys().size() + " keys");
        assertTrue(call.micros() <= 2_500, "about " + call.micros() + " microseconds");
      }
    }
    assertTrue(filter.view().live().written().indexes().length > 4_000);
  }

  /** Both names refer to the same content, and the requests join the same round. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void requestsByTheOldAndTheNewNameInOneRound(boolean isFormerFirst) throws Exception {
    for (var kind : List.of(Kind.ADD, Kind.TEST)) {
      var filter = fixed(1, 1 << 17, 0, false);
      one.add(filter, "first");
      var former = filter.view();
      var renamed = filter.rename();
      var hashed = new HashedElements(bytes("element"));
      var byFormer = new ElementRequest(kind, hashed, Durability.PRIMARY, Optional.empty(), former);
      var byNew = new ElementRequest(kind, hashed, Durability.PRIMARY, Optional.empty(), renamed);
      var outcomes =
          isFormerFirst ? one.sendTogether(byFormer, byNew) : one.sendTogether(byNew, byFormer);
      assertEquals(Outcome.CHANGED, outcomes.get(isFormerFirst ? 0 : 1).get(), kind.name());
      assertEquals(Outcome.DONE, outcomes.get(isFormerFirst ? 1 : 0).get(), kind.name());
    }
  }
}
