package io.github.bloomgate.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SharedTasksTest {

  private final SharedTasks<String> tasks = new SharedTasks<>();
  private final List<CompletableFuture<Void>> begun = new ArrayList<>();

  private final Uni<Void> task =
      Uni.createFrom()
          .completionStage(
              () -> {
                var one = new CompletableFuture<Void>();
                begun.add(one);
                return one;
              });

  private CompletableFuture<Void> join(String key) {
    return tasks.join(key, task).subscribeAsCompletionStage();
  }

  @Test
  void aTaskIsDoneOnceForAllWhoWaitForIt() {
    var first = join("a");
    var second = join("a");
    var other = join("b");
    assertEquals(2, begun.size());
    begun.get(0).complete(null);
    assertTrue(first.isDone() && second.isDone());
    assertFalse(other.isDone());
    var again = join("a");
    assertFalse(again.isDone());
    assertEquals(3, begun.size(), "after its end it is begun again");
  }

  @Test
  void itsFailureReachesAllAndIsForgotten() {
    var first = join("a");
    var second = join("a");
    begun.get(0).completeExceptionally(new IllegalStateException("broken"));
    assertTrue(first.isCompletedExceptionally() && second.isCompletedExceptionally());
    var later = join("a");
    begun.get(1).complete(null);
    assertFalse(later.isCompletedExceptionally());
  }

  @Test
  void itGoesOnWhenTheCallerWhoBeganItLeaves() {
    var first = join("a");
    var second = join("a");
    first.cancel(false);
    assertFalse(begun.get(0).isCancelled());
    begun.get(0).complete(null);
    assertTrue(second.isDone());
    assertFalse(second.isCancelled());
  }
}
