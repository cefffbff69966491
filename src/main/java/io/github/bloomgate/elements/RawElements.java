package io.github.bloomgate.elements;

import io.github.bloomgate.elements.ElementPart.Answer;
import io.github.bloomgate.elements.ElementRequest.Kind;
import io.github.bloomgate.elements.ElementRequest.Outcome;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.store.BitsReply;
import io.github.bloomgate.store.RawContent;
import io.github.bloomgate.store.RawReply;
import io.github.bloomgate.store.RawReply.Status;
import io.github.bloomgate.store.RawStore;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.OptionalLong;

/**
 * Sends element requests. Raw content, see {@link RawContent}, is tested and changed bit by bit;
 * all other content goes through the {@link Rounds}.
 *
 * <p>The live generation comes first. Every call names the version of its generation. If it is
 * refused, the filter is read again, and an element that the new live generation lacks is sent
 * there.
 */
@Singleton
public class RawElements {

  private final RawStore store;
  private final Rounds rounds;

  RawElements(RawStore store, Rounds rounds) {
    this.store = store;
    this.rounds = rounds;
  }

  /**
   * Executes a request.
   *
   * @return the outcome, or a failure: {@link BloomException}s of {@link Rounds#send} and {@link
   *     RawStore}
   */
  public Uni<Outcome> send(ElementRequest request) {
    return send(List.of(request)).map(ignored -> request.result());
  }

  /**
   * Executes requests to several filters together. Afterwards each has its outcome or failure. Does
   * not fail.
   */
  Uni<Void> send(List<ElementRequest> requests) {
    var raw = requests.stream().filter(RawElements::isRaw).map(this::sendRaw).toList();
    return raw.isEmpty()
        ? sendRest(requests)
        : Uni.join().all(raw).andFailFast().chain(() -> sendRest(requests));
  }

  private Uni<Void> sendRest(List<ElementRequest> requests) {
    var rest = requests.stream().filter(request -> !request.isDecided()).toList();
    return rest.isEmpty() ? Uni.createFrom().voidItem() : rounds.send(rest);
  }

  private static boolean isRaw(ElementRequest request) {
    return request.parts().stream().anyMatch(ElementPart::isRaw);
  }

  private Uni<Void> sendRaw(ElementRequest request) {
    for (var part : request.parts()) {
      if (!part.isAnswered() && part.isRaw()) {
        return send(request, part)
            .chain(
                status -> {
                  if (status == Status.OK) {
                    return sendRaw(request);
                  }
                  request.interrupt(Outcome.CHANGED);
                  return Uni.createFrom().voidItem();
                })
            .onFailure()
            .recoverWithUni(
                failure -> {
                  request.fail(RoundFailures.known(failure));
                  return Uni.createFrom().voidItem();
                });
      }
    }
    return Uni.createFrom().voidItem();
  }

  /** Sends the elements of one call. */
  private Uni<Status> send(ElementRequest request, ElementPart part) {
    var generation = part.generation();
    var raw = RawContent.of(generation.stored(), generation.filter());
    var pending = part.unanswered(Math.max(1, RawStore.MAX_BITS / raw.shape().numHashFunctions()));
    var offsets = offsets(part, raw, pending);
    if (request.kind() == Kind.TEST) {
      return store.test(raw, offsets).map(reply -> apply(part, pending, reply));
    }
    var most = generation.filter().maxInsertions(0);
    return store
        .add(
            raw,
            offsets,
            most == 0 ? OptionalLong.empty() : OptionalLong.of(most),
            request.isReplicated())
        .map(
            reply -> {
              if (request.isReplicated()) {
                reply.value().ifPresent(added -> request.confirmRaw(added.replicas()));
              }
              return apply(
                  part,
                  pending,
                  new RawReply<>(reply.status(), reply.value().map(RawStore.RawAdd::answers)));
            });
  }

  private static byte[] offsets(ElementPart part, RawContent raw, int[] elements) {
    var k = raw.shape().numHashFunctions();
    var offsets = ByteBuffer.allocate(Integer.BYTES * k * elements.length);
    var words = new long[Math.max(2, k)];
    for (var element : elements) {
      part.locate(element, raw.shape(), words);
      for (var i = 0; i < k; i++) {
        offsets.putInt((int) words[i]);
      }
    }
    return offsets.array();
  }

  private static Status apply(
      ElementPart part, int[] elements, RawReply<List<BitsReply.Answer>> reply) {
    var answers = reply.value().orElse(List.of());
    for (var i = 0; i < answers.size(); i++) {
      part.setAnswer(
          elements[i],
          switch (answers.get(i)) {
            case NO -> Answer.ABSENT;
            case MAYBE -> Answer.KNOWN;
            case NEW -> Answer.CHANGED;
            case REFUSED -> Answer.REFUSED;
          });
    }
    return reply.status();
  }
}
