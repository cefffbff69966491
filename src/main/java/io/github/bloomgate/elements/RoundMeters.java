package io.github.bloomgate.elements;

import io.github.bloomgate.elements.ElementCall.Kind;
import io.github.bloomgate.store.FoldReply;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

final class RoundMeters {

  private final Counter firstReads;
  private final Counter laterReads;
  private final Counter written;
  private final Counter changed;
  private final Counter sharedCalls;
  private final Counter sharingRequests;
  private final Counter testedInCopies;
  private final Counter testedInRedis;
  private final Counter testedUnasked;

  RoundMeters(MeterRegistry metrics) {
    var reads =
        Counter.builder("bloom.copies.reads")
            .description("Number of whole segments read.")
            .withRegistry(metrics);
    firstReads = reads.withTag("reason", "first");
    laterReads = reads.withTag("reason", "again");
    var folds =
        Counter.builder("bloom.journal.snapshots")
            .description("Number of folds, by result.")
            .withRegistry(metrics);
    written = folds.withTag("result", "written");
    changed = folds.withTag("result", "changed");
    sharedCalls =
        Counter.builder("bloom.coalesced.calls")
            .description("Number of calls shared by several requests.")
            .register(metrics);
    sharingRequests =
        Counter.builder("bloom.coalesced.batches")
            .description("Number of requests in shared calls.")
            .register(metrics);
    var tests =
        Counter.builder("bloom.copies.tests")
            .description("Number of elements tested, by the source of the answer.")
            .withRegistry(metrics);
    testedInCopies = tests.withTag("decided", "copy");
    testedInRedis = tests.withTag("decided", "redis");
    testedUnasked = tests.withTag("decided", "young-copy");
  }

  void countRead(boolean isFirst) {
    (isFirst ? firstReads : laterReads).increment();
  }

  void countFold(FoldReply reply) {
    (reply == FoldReply.DONE ? written : changed).increment();
  }

  void countCalls(int calls, int requests) {
    if (requests > 1) {
      sharedCalls.increment(calls);
      sharingRequests.increment(requests);
    }
  }

  /** Counts a test that was answered without a call. */
  void countUnasked(ElementRequest request) {
    testedUnasked.increment(request.live().count());
  }

  void countDone(ElementRequest request) {
    if (request.kind() == Kind.TEST && request.isDone()) {
      testedInCopies.increment(request.live().answered() - request.askedInRedis());
      testedInRedis.increment(request.askedInRedis());
    }
  }
}
