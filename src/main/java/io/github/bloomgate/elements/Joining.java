package io.github.bloomgate.elements;

import io.github.bloomgate.store.StoredContent.Raw;
import java.util.BitSet;

/**
 * Adds the pending elements of a request to a round, as far as their segments and the round have
 * room.
 */
final class Joining {

  private final Round round;
  private final RoundRoom room;
  private final ElementRequest request;

  /** The hash or the positions of one element. */
  private final long[] words;

  /**
   * The elements that an earlier generation may not answer in this round. They wait, because the
   * live one decides which of several adds is the first.
   */
  private final BitSet left = new BitSet();

  Joining(Round round, ElementRequest request) {
    this.round = round;
    this.room = round.room();
    this.request = request;
    this.words = new long[Math.max(2, request.mostHashFunctions())];
  }

  /**
   * Joins.
   *
   * @throws io.github.bloomgate.model.error.BloomException if the client is gone
   */
  void run() {
    request.client().requireThere();
    for (var part : request.parts()) {
      if (part.generation().storedContent() instanceof Raw raw) {
        join(part, raw);
      } else {
        join(part);
      }
    }
  }

  private void join(ElementPart part, Raw raw) {
    var call = round.bits(part, raw);
    var hasRoom = true;
    for (var i = 0; i < part.count(); i++) {
      if (part.answer(i) == null) {
        if (hasRoom && !left.get(i)) {
          part.locate(i, raw.shape(), words);
          hasRoom = call.ask(part, i, words);
        }
        left.set(i);
      }
    }
  }

  private void join(ElementPart part) {
    var turns = new LayerTurns[part.generation().layers().size()];
    for (var i = part.beginRound(); i < part.count(); i++) {
      if (!room.isLeft()) {
        left.set(i, part.count());
        return;
      }
      if (part.answer(i) == null && (left.get(i) || !join(part, turns, i))) {
        left.set(i);
      }
    }
  }

  /**
   * The content of a full layer is final, so an absent element is searched in the next layer. The
   * same call checks the full layer, because Redis may have another history of it.
   *
   * @param turns the turns of each layer that an element has needed so far
   * @return whether the call to a copy of its segment will probably answer the element
   */
  private boolean join(ElementPart part, LayerTurns[] turns, int element) {
    var first = part.layer(element);
    room.countWork(RoundRoom.WORK_OF_ELEMENT);
    while (true) {
      var index = part.layer(element);
      if (turns[index] == null) {
        turns[index] = round.turns(part.generation(), part.generation().layers().get(index));
      }
      var layer = turns[index].layer();
      var segment = part.locate(element, layer.places(), words);
      room.countWork(layer.places().numHashFunctions());
      var turn = turns[index].of(segment);
      if (turn == null) {
        var bits = round.bits(part, layer, segment);
        if (bits.isPresent()) {
          // After a full layer the element waits for the next round, because a bit-by-bit answer
          // would arrive before that layer is confirmed.
          if (index == first) {
            bits.get().ask(part, element, words);
          }
          return false;
        }
        var begun = round.turn(turns[index], segment, part.pending());
        if (begun.isEmpty()) {
          return false;
        }
        turn = begun.get();
      }
      var isPassed = turn.isPassed(words);
      if (!isPassed || !part.hasLaterLayer(element)) {
        turn.ask(part, element, words);
        return !isPassed;
      }
      turn.pass(part);
      part.passLayer(element);
    }
  }
}
