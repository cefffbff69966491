package io.github.bloomgate.elements;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.elements.ElementRequest.Kind;
import io.github.bloomgate.elements.ElementRequest.Outcome;
import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.redis.StepLink;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.segment.Answer;
import io.github.bloomgate.segment.SegmentFormat;
import io.github.bloomgate.store.SlotStores;
import io.github.bloomgate.support.InOrder;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Elements in raw bits, used bit by bit with the version of each generation. */
class RawElementsTest extends RoundsFixture {

  private static final FilterShape LONG = new FilterShape(1, 1L << 25, 3);

  private Rounds rounds;
  private TestFilter filter;

  @BeforeEach
  void create() {
    rounds = one.rounds;
    filter = new TestFilter(LONG, new SegmentFormat(1 << 22, 3, new SegmentFormat.Fixed(0)), false);
  }

  private Outcome send(ElementRequest request) {
    TestLink.await(rounds.send(List.of(request)));
    return request.result();
  }

  private Answer answer(Kind kind, String element) {
    var request = request(kind, filter, element);
    assertEquals(Outcome.DONE, send(request));
    return request.live().answer(0);
  }

  /** Another instance ends the rebuild after the call to the live generation. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anAddIsLiveWhenItsRebuildEndsBetweenItsCalls(boolean isCommitted) {
    filter.open();
    try (var link = TestLink.stepwise(redis.options())) {
      rounds = new Rounds(SlotStores.of(link).segments(), MEMORY, link.registry(), new InOrder());
      assertEquals(Answer.CHANGED, answer(Kind.ADD, "sends the script"));
      var request = request(Kind.ADD, filter, "a");
      var steps = (StepLink) link.link();
      steps.hold();
      var sent = rounds.send(List.of(request)).subscribeAsCompletionStage();
      steps.execute();
      steps.answer();
      assertEquals(Answer.CHANGED, request.live().answer(0));
      assertTrue(steps.canExecute());
      if (isCommitted) {
        filter.commit();
      } else {
        filter.abort();
        filter.open();
      }
      steps.release();
      sent.join();
      assertEquals(Outcome.CHANGED, request.result());
      assertTrue(request.follow(filter.view()));
      assertEquals(Outcome.DONE, send(request));
      assertEquals(Answer.KNOWN, answer(Kind.TEST, "a"));
      if (!isCommitted) {
        filter.commit();
        assertEquals(Answer.KNOWN, answer(Kind.TEST, "a"));
      }
    }
  }
}
