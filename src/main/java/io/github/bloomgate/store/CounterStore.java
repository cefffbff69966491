package io.github.bloomgate.store;

import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.Filter;
import io.github.bloomgate.redis.Script;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * What only segments with counters do. Every method is one script on one segment, and fails as
 * those of {@link SegmentStore} do.
 */
@ApplicationScoped
public class CounterStore {

  private final ElementCalls elements;

  CounterStore(ElementCalls elements) {
    this.elements = elements;
  }

  /**
   * Removes the elements of a batch, in order, of a filter that counts. Batches for a segment may
   * travel together; each is answered as if it were alone.
   */
  public Uni<RemoveReply> remove(Filter filter, SegmentBatch batch, Durability durability) {
    return elements
        .run(Script.REMOVE, filter, batch, durability)
        .map(
            answer -> {
              SegmentStore.expectOk(answer.reply(), filter, batch.segment());
              return new RemoveReply(answer.flags(), answer.reply().replicas());
            });
  }

  /**
   * Tells of each element of a batch how often it was added at most, less how often it was removed;
   * 15 stands for more too. Of a filter that counts.
   */
  public Uni<byte[]> multiplicity(Filter filter, SegmentBatch batch) {
    return elements
        .run(Script.MULTIPLICITY, filter, batch, Durability.PRIMARY)
        .map(
            answer -> {
              SegmentStore.expectOk(answer.reply(), filter, batch.segment());
              return answer.counts();
            });
  }
}
