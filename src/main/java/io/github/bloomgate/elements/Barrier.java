package io.github.bloomgate.elements;

import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.store.SegmentGroup;
import io.github.bloomgate.store.SegmentReply;
import io.github.bloomgate.store.SegmentStore;
import io.github.bloomgate.store.SegmentStore.Advance;
import io.github.bloomgate.store.StoredGeneration;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * A group of requests for replicas to confirm. Names each segment with the current position of its
 * copy, which includes everything the answers depend on.
 */
final class Barrier {

  private static final byte[] NO_BLOCK = {};

  /** Layers per call. */
  private static final int MOST_AT_ONCE = 64;

  private final List<ElementRequest> requests = new ArrayList<>();
  private final Set<ElementRequest> undecided = new LinkedHashSet<>();
  private final Map<GroupKey, Group> groups = new LinkedHashMap<>();
  private int replicas = Integer.MAX_VALUE;

  private record GroupKey(StoredGeneration generation, int firstSegment) {}

  /** The segments of a layer, and the requests that depend on each. */
  private final class Group {
    private final Generation generation;
    private final Layer layer;
    private final Map<HeldSegment, List<ElementRequest>> segments = new LinkedHashMap<>();
    private SegmentGroup asked;

    private Group(Generation generation, Layer layer) {
      this.generation = generation;
      this.layer = layer;
    }

    /** Positions are read now, because a copy may later follow another history than the answers. */
    void ask() {
      asked =
          new SegmentGroup(
              generation.stored(),
              layer.format(),
              segments.keySet().stream().map(some -> some.question(NO_BLOCK)).toList());
    }

    void answer(Advance reply) {
      reply
          .groups()
          .get(0)
          .ifPresentOrElse(
              replies -> answer(replies, reply.replicas()),
              () -> segments.values().forEach(some -> some.forEach(ElementRequest::interrupt)));
    }

    private void answer(List<SegmentReply> replies, int confirmed) {
      replicas = Math.min(replicas, confirmed);
      var index = 0;
      for (var some : segments.keySet()) {
        var reply = replies.get(index);
        if (reply instanceof SegmentReply.Damaged) {
          segments.get(some).forEach(request -> request.fail(some.damaged()));
        } else if (!(reply instanceof SegmentReply.Followed)) {
          undecided.addAll(segments.get(some));
          reread(some, asked.questions().get(index));
        }
        index++;
      }
    }

    void fail(RuntimeException failure) {
      segments.values().forEach(some -> some.forEach(one -> one.fail(failure)));
    }

    /** If the copy has advanced, its new position is confirmed next. */
    private void reread(HeldSegment some, SegmentGroup.Question question) {
      if (some.copy().position() == question.position()) {
        some.requireRead();
        Set.copyOf(segments.get(some)).forEach(ElementRequest::reopen);
      }
    }
  }

  /** Reopens requests whose answers depend on another history. */
  Barrier(List<ElementRequest> unconfirmed) {
    for (var request : unconfirmed) {
      if (request.parts().stream().anyMatch(Barrier::isOutdated)) {
        request.reopen();
      } else {
        requests.add(request);
        request.setConfirming(true);
        request.parts().forEach(this::join);
      }
    }
    groups.values().forEach(Group::ask);
  }

  private static boolean isOutdated(ElementPart part) {
    return part.rests().entrySet().stream()
        .anyMatch(rest -> rest.getKey().copy() != rest.getValue());
  }

  private void join(ElementPart part) {
    for (var some : part.rests().keySet()) {
      groups
          .computeIfAbsent(
              new GroupKey(part.generation().stored(), some.layer().firstSegment()),
              ignored -> new Group(part.generation(), some.layer()))
          .segments
          .computeIfAbsent(some, ignored -> new ArrayList<>())
          .add(part.request());
    }
  }

  /** Waits for replicas and completes the requests. */
  Uni<Void> send(SegmentStore store, Executor thread) {
    return Multi.createFrom()
        .iterable(groups.values())
        .onItem()
        .transformToUni(
            group ->
                Uni.createFrom()
                    .deferred(() -> store.confirm(group.asked))
                    .emitOn(thread)
                    .invoke(group::answer)
                    .replaceWithVoid()
                    .onFailure()
                    .invoke(failure -> group.fail(RoundFailures.known(failure)))
                    .onFailure()
                    .recoverWithNull())
        .merge(MOST_AT_ONCE)
        .collect()
        .last()
        .emitOn(thread)
        .invoke(this::end)
        .replaceWithVoid();
  }

  private void end() {
    requests.stream()
        .filter(request -> request.awaitsReplicas() && !undecided.contains(request))
        .forEach(request -> request.confirm(replicas));
  }
}
