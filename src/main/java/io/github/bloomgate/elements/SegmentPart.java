package io.github.bloomgate.elements;

import io.github.bloomgate.journal.SegmentKey;
import io.github.bloomgate.store.SegmentBatch;
import io.github.bloomgate.store.SegmentResult;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.List;

/** Those elements of a {@link LayerPart} that fall into one segment. */
record SegmentPart(LayerPart layer, HashedElements hashed, int segment) {

  /**
   * Adds, removes or tests the elements of some segments at once, with copies where that is
   * cheaper. All has ended when this fails, so that what was found is noted.
   */
  static Uni<Void> workOn(List<SegmentPart> parts) {
    var inCopies = new ArrayList<SegmentPart>(parts.size());
    var works = new ArrayList<Uni<Void>>();
    for (var part : parts) {
      if (part.layer.isOver()) {
        continue;
      }
      if (part.isDue()) {
        inCopies.add(part);
      } else {
        works.add(part.bitByBit());
      }
    }
    if (!inCopies.isEmpty()) {
      works.add(withCopies(inCopies));
    }
    return ElementChunks.all(works);
  }

  private static Uni<Void> withCopies(List<SegmentPart> parts) {
    return parts
        .get(0)
        .layer
        .journals()
        .sendAll(
            parts.stream().map(SegmentPart::key).toList(),
            parts.stream().map(SegmentPart::work).toList())
        .chain(outcomes -> settle(parts, outcomes));
  }

  private static Uni<Void> settle(List<SegmentPart> parts, List<Outcome> outcomes) {
    var left = new ArrayList<Uni<Void>>();
    for (var i = 0; i < parts.size(); i++) {
      var part = parts.get(i);
      var outcome = outcomes.get(i);
      if (outcome.result().isPresent()) {
        part.note(outcome.result().get());
      } else {
        left.add(outcome.failure() == null ? part.bitByBit() : part.again(outcome.failure()));
      }
    }
    return ElementChunks.all(left);
  }

  /** The segment may have had to catch up with the filter. */
  private Uni<Void> again(Throwable failure) {
    return layer
        .calls()
        .again(segment, failure, () -> layer.journals().send(layer.filter(), segment, work()))
        .chain(
            result -> {
              if (result.isEmpty()) {
                return bitByBit();
              }
              note(result.get());
              return Uni.createFrom().voidItem();
            });
  }

  private boolean isDue() {
    return layer.journals().isDue(layer.filter(), segment, hashed.count(segment));
  }

  private SegmentKey key() {
    return new SegmentKey(layer.filter(), segment);
  }

  private SegmentWork work() {
    return hashed.work(segment, layer.kind(), layer.calls().durability());
  }

  private void note(SegmentResult result) {
    layer.note(result, hashed.count(segment), i -> hashed.indexOf(segment, i), true);
  }

  private Uni<Void> bitByBit() {
    var batches = hashed.batches(segment);
    return batches.size() == 1
        ? bitByBit(batches.get(0))
        : Multi.createFrom()
            .iterable(batches)
            .onItem()
            .transformToUniAndConcatenate(this::bitByBit)
            .onItem()
            .ignoreAsUni();
  }

  private Uni<Void> bitByBit(SegmentBatch batch) {
    var elements = batch.elements();
    return layer.isOver()
        ? Uni.createFrom().voidItem()
        : layer
            .journals()
            .bitByBit(layer.filter(), batch, layer.kind(), layer.calls())
            .invoke(result -> layer.note(result, elements.length, i -> elements[i], false))
            .replaceWithVoid();
  }
}
