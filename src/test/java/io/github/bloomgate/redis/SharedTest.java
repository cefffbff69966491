package io.github.bloomgate.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Work that several wait for, ended when a test says so. */
class SharedTest {

  private static final int MAX_WAIT = 120;

  private final List<UniEmitter<? super String>> begun = new CopyOnWriteArrayList<>();
  private final Shared<String> shared =
      new Shared<>(() -> Uni.createFrom().emitter(emitter -> begun.add(emitter)));

  @Test
  void callersDuringTheWorkShareItsResult() {
    var first = ask();
    var second = ask();
    assertEquals(1, begun.size());
    begun.get(0).complete("one");
    first.assertItem("one");
    second.assertItem("one");
  }

  @Test
  void callersAfterItsEndStartItAgain() {
    ask();
    begun.get(0).fail(new IllegalStateException());
    var next = ask();
    assertEquals(2, begun.size());
    begun.get(1).complete("two");
    next.assertItem("two");
  }

  @Test
  void allCallersGetItsFailure() {
    var all = List.of(ask(), ask());
    begun.get(0).fail(new IllegalStateException());
    all.forEach(one -> one.assertFailedWith(IllegalStateException.class));
  }

  @Test
  void workThatCannotBeBegunFails() {
    var broken =
        new Shared<String>(
            () -> {
              throw new IllegalStateException();
            });
    for (var i = 0; i < 2; i++) {
      broken
          .result()
          .subscribe()
          .withSubscriber(UniAssertSubscriber.create())
          .assertFailedWith(IllegalStateException.class);
    }
  }

  @Test
  void cancellingDoesNotAffectOthers() {
    var first = ask();
    var second = ask();
    first.cancel();
    begun.get(0).complete("one");
    first.assertNotTerminated();
    second.assertItem("one");
  }

  @Test
  void eachGetsItOnItsOwnContext() throws Exception {
    var vertx = Vertx.vertx();
    try {
      var root = (ContextInternal) vertx.getOrCreateContext();
      var asked = new ArrayList<Context>();
      var seen = new ArrayList<CompletableFuture<Context>>();
      for (var i = 0; i < 10; i++) {
        var context = root.duplicate();
        var found = new CompletableFuture<Context>();
        asked.add(context);
        seen.add(found);
        context.runOnContext(
            ignored ->
                shared.result().subscribe().with(done -> found.complete(Vertx.currentContext())));
      }
      var all = new CompletableFuture<Void>();
      root.runOnContext(ignored -> all.complete(null));
      all.get(MAX_WAIT, TimeUnit.SECONDS);
      Awaitility.await().until(() -> begun.size() == 1);
      begun.get(0).complete("one");
      for (var i = 0; i < asked.size(); i++) {
        assertSame(asked.get(i), seen.get(i).get(MAX_WAIT, TimeUnit.SECONDS));
      }
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().join();
    }
  }

  private UniAssertSubscriber<String> ask() {
    return shared.result().subscribe().withSubscriber(UniAssertSubscriber.create());
  }
}
