package io.github.bloomgate.elements;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.elements.ElementCall.Kind;
import io.github.bloomgate.elements.ElementRequest.Outcome;
import io.github.bloomgate.filters.UnfoldedSegments;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.redis.StepLink;
import io.github.bloomgate.redis.TestLink;
import io.github.bloomgate.segment.Verdict;
import io.github.bloomgate.store.TestStores;
import io.github.bloomgate.support.Failures;
import io.github.bloomgate.support.InOrder;
import io.github.bloomgate.support.InParallel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Rounds are bounded for tests as for changes, large requests take several, and each client and
 * each request has a share of them.
 */
class RoundsSharesTest extends RoundsFixture {

  /** More than two rounds of 7 positions and 7 bits each. */
  private static final int MANY = 60_000;

  private static ElementRequest tests(TestFilter filter, String client, int count) {
    return tests(filter, new Client(client, () -> false), count);
  }

  private static ElementRequest tests(TestFilter filter, Client client, int count) {
    var elements = bytes(elements("element ", count));
    return new ElementRequest(
        new ElementCall(Kind.TEST, elements, Durability.PRIMARY, client, Optional.empty()),
        filter.view());
  }

  private static TestFilter known() {
    var filter = fixed(1, 4_096, 0, false);
    one.add(filter, NAMES);
    return filter;
  }

  @Test
  void manyTestsTakeSeveralRounds() {
    var filter = known();
    assertEquals(1, RoundsFoldingTest.callsOf(tests(filter, "a", 1_000)));
    assertEquals(3, RoundsFoldingTest.callsOf(tests(filter, "a", MANY)));
  }

  /** Every layer is looked up. */
  @Test
  void testsOfManyLayersTakeMoreRounds() {
    var filter = fixed(1, 512, 2, true);
    one.add(filter, elements("added ", 40));
    assertTrue(filter.view().live().layers().size() >= 20);
    var request = tests(filter, "a", 5_000);
    assertTrue(RoundsFoldingTest.callsOf(request) >= 3);
    assertEquals(5_000, request.live().answered());
  }

  @Test
  void aShortRequestOvertakesALongOne() throws Exception {
    var filter = known();
    assertEquals(
        List.of(1, 0), orderOf(tests(filter, "a", MANY), tests(filter, "a", 1)), "of one client");
    assertEquals(
        List.of(1, 0), orderOf(tests(filter, "a", MANY), tests(filter, "b", 1)), "of two clients");
  }

  @Test
  void aClientWithFewRequestsDoesNotWaitForOneWithMany() throws Exception {
    var filter = known();
    var requests = new ElementRequest[7];
    for (var i = 0; i < requests.length - 1; i++) {
      requests[i] = tests(filter, "many", MANY);
    }
    requests[6] = tests(filter, "few", MANY);
    assertEquals(6, orderOf(requests).get(0));
  }

  /** The indexes of the requests in the order in which they were done. */
  private static List<Integer> orderOf(ElementRequest... requests) throws Exception {
    var order = new ConcurrentLinkedQueue<Integer>();
    var all = one.sendTogether(requests);
    var noted = new ArrayList<CompletableFuture<Void>>();
    for (var i = 0; i < all.size(); i++) {
      var index = i;
      noted.add(
          all.get(i)
              .thenAccept(
                  outcome -> {
                    assertEquals(Outcome.DONE, outcome);
                    order.add(index);
                  }));
    }
    InParallel.resultOf(CompletableFuture.allOf(noted.toArray(CompletableFuture[]::new)));
    return List.copyOf(order);
  }

  @Test
  void theWorkForAClientThatLeavesStops() {
    var filter = known();
    var looks = new AtomicInteger();
    var request = tests(filter, new Client("a", () -> looks.incrementAndGet() > 1), MANY);
    Failures.assertFails(ErrorCode.INVALID_REQUEST, one.send(request));
    assertTrue(request.live().answered() > 0);
    assertTrue(request.live().answered() < MANY);
    assertEquals(2, looks.get());
  }

  @Test
  void othersGoOnWhenAClientLeaves() throws Exception {
    var filter = known();
    var gone = tests(filter, new Client("a", () -> true), MANY);
    var others = tests(filter, "a", MANY);
    var sent = one.sendTogether(gone, others);
    assertEquals(Outcome.DONE, sent.get(1).join());
    assertTrue(sent.get(0).isCompletedExceptionally());
    assertEquals(0, gone.live().answered());
    assertFalse(others.live().answered() < MANY);
    assertTrue(one.contains(filter, NAMES[0]));
  }

  /** All other requests on the connection wait behind these reads. */
  @Test
  void longSegmentsAreReadAFewAtATime() {
    var filter = counting(12, 1 << 21);
    one.add(filter, NAMES);
    try (var link = TestLink.stepwise(redis.options())) {
      var rounds =
          new Rounds(
              TestStores.of(link).segments(),
              MEMORY,
              new UnfoldedSegments(),
              link.registry(),
              new InOrder());
      var steps = (StepLink) link.link();
      steps.hold();
      var request = request(Kind.COUNT, filter, NAMES);
      var sent = rounds.send(List.of(request)).subscribeAsCompletionStage();
      var reads = 0;
      for (; steps.canExecute(); reads++) {
        steps.execute();
      }
      assertEquals(8, reads);
      steps.release();
      InParallel.resultOf(sent);
      assertEquals(NAMES.length, request.live().count(Verdict.KNOWN));
    }
  }

  @Test
  void addsOfManyRoundsAreComplete() {
    var filter = fixed(3, 1 << 17, 0, false);
    var elements = bytes(elements("added ", MANY));
    var call =
        new ElementCall(Kind.ADD, elements, Durability.PRIMARY, Client.SERVICE, Optional.empty());
    var request = new ElementRequest(call, filter.view());
    assertEquals(Outcome.DONE, TestLink.await(one.send(request)));
    assertEquals(MANY, request.live().answered());
    assertTrue(one.contains(filter, "added 0"));
    assertTrue(one.contains(filter, "added " + (MANY - 1)));
  }
}
