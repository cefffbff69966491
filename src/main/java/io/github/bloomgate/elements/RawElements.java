package io.github.bloomgate.elements;

import io.github.bloomgate.elements.ElementRequest.Kind;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.store.BitsReply;
import io.github.bloomgate.store.RawBits;
import io.github.bloomgate.store.RawContent;
import io.github.bloomgate.store.RawStore;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Tests and changes raw content, see {@link RawContent}, bit by bit. Every call names the version
 * of its generation. If it is refused, the filter is read again, and an element that the new live
 * generation lacks is sent there.
 */
@Singleton
public class RawElements {

  private final RawStore store;

  RawElements(RawStore store) {
    this.store = store;
  }

  /**
   * Answers the elements of raw generations in requests to one or more filters. If a call fails,
   * its requests keep the failure, see {@link RawStore}. Does not fail itself.
   */
  Uni<Void> send(List<ElementRequest> requests) {
    var questions = questions(requests);
    if (questions.isEmpty()) {
      return Uni.createFrom().voidItem();
    }
    var calls = store.isSpread() ? questions.stream().map(List::of).toList() : List.of(questions);
    return Uni.join()
        .all(calls.stream().map(this::ask).toList())
        .andFailFast()
        .chain(() -> send(requests));
  }

  /** Elements of one content in a call. */
  private record Question(ElementPart part, RawBits bits, int[] elements) {

    private ElementRequest request() {
      return part.request();
    }
  }

  /** The elements of the next call, from the first requests until it is full. */
  private static List<Question> questions(List<ElementRequest> requests) {
    var questions = new ArrayList<Question>();
    var room = RawStore.MAX_BITS;
    for (var request : requests) {
      var part = unansweredRaw(request);
      if (part.isPresent()) {
        var filter = part.get().generation();
        var raw = filter.raw();
        var k = raw.shape().numHashFunctions();
        if (room < k) {
          return questions;
        }
        var elements = part.get().unanswered(room / k);
        room -= k * elements.length;
        var most = filter.parameters().maxInsertions(filter.plan().layers().get(0));
        var bits = new RawBits(raw, offsets(part.get(), raw, elements), most);
        questions.add(new Question(part.get(), bits, elements));
      }
    }
    return questions;
  }

  private static Optional<ElementPart> unansweredRaw(ElementRequest request) {
    if (!request.isDecided()) {
      for (var part : request.parts()) {
        if (part.isRaw() && !part.isAnswered()) {
          return Optional.of(part);
        }
      }
    }
    return Optional.empty();
  }

  private Uni<Void> ask(List<Question> questions) {
    var bits = questions.stream().map(Question::bits).toList();
    return store
        .bits(bits, effect(questions.get(0).request()))
        .invoke(replies -> answer(questions, replies))
        .onFailure()
        .invoke(
            failure ->
                questions.forEach(
                    question -> question.request().fail(RoundFailures.known(failure))))
        .onFailure()
        .recoverWithNull()
        .replaceWithVoid();
  }

  private static Effect effect(ElementRequest request) {
    if (request.kind() == Kind.TEST) {
      return Effect.READ;
    }
    return request.isReplicated() ? Effect.REPLICATED : Effect.WRITE;
  }

  private static void answer(List<Question> questions, RawStore.RawReplies replies) {
    for (var i = 0; i < questions.size(); i++) {
      var request = questions.get(i).request();
      if (request.isReplicated()) {
        request.countReplicas(replies.replicas());
      }
      answer(questions.get(i), replies.contents().get(i));
    }
  }

  private static void answer(Question question, BitsReply reply) {
    if (reply instanceof BitsReply.Answers some) {
      for (var i = 0; i < question.elements.length; i++) {
        question.part.apply(question.elements[i], some.answers().get(i));
      }
    } else if (reply instanceof BitsReply.Changed) {
      question.request().interrupt();
    } else if (reply instanceof BitsReply.Failed failed) {
      question.request().fail(failed.failure());
    }
    // If a bitmap has grown, the next call has the elements again.
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
}
