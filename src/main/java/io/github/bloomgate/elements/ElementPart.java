package io.github.bloomgate.elements;

import io.github.bloomgate.elements.ElementRequest.Kind;
import io.github.bloomgate.filters.Filter;
import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.segment.Answer;
import io.github.bloomgate.segment.SegmentCopy;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** The elements of a request in one generation, with their answers. */
public final class ElementPart {

  private final ElementRequest request;
  private final ElementHashes hashes;

  /** The answer of each element; null while it has none. */
  private final Answer[] answers;

  /** The layer in which each element is searched next. */
  private final byte[] layers;

  private final byte[] counts;

  /**
   * For a replicated request, the segments that answers depend on, with their copies. A segment
   * with another history has another copy.
   */
  private final Map<HeldSegment, SegmentCopy> rests = new HashMap<>();

  /** Elements added before the answers turned out to depend on another history. */
  private final BitSet addedBefore = new BitSet();

  private Filter generation;
  private int pending;
  private boolean needsLayer;

  /** Whether Redis did not confirm a full layer in which elements were not found. */
  private boolean isUnconfirmed;

  ElementPart(ElementRequest request, ElementHashes hashes, Filter generation) {
    this.request = request;
    this.hashes = hashes;
    this.generation = generation;
    this.answers = new Answer[hashes.count()];
    this.layers = new byte[answers.length];
    this.counts = new byte[request.kind() == Kind.COUNT ? answers.length : 0];
    this.pending = answers.length;
  }

  boolean isOf(Filter some) {
    return generation.incarnation().equals(some.incarnation());
  }

  /**
   * Continues with another version of the same content. Elements without an answer are searched
   * from the first layer on, because no reply may have confirmed the layers that they have passed.
   */
  ElementPart follow(Filter changed) {
    generation = changed;
    searchAgain();
    return this;
  }

  private void searchAgain() {
    Arrays.fill(layers, (byte) 0);
    needsLayer = false;
    isUnconfirmed = false;
  }

  ElementRequest request() {
    return request;
  }

  public Filter generation() {
    return generation;
  }

  public int count() {
    return answers.length;
  }

  /** The answer of an element, or null if it has none yet. */
  public Answer answer(int element) {
    return answers[element];
  }

  public boolean[] flags(Answer some) {
    var flags = new boolean[answers.length];
    for (var i = 0; i < flags.length; i++) {
      flags[i] = answers[i] == some;
    }
    return flags;
  }

  /** The index of the first element with this answer. */
  public int first(Answer some) {
    return Arrays.asList(answers).indexOf(some);
  }

  public int count(Answer some) {
    var count = 0;
    for (var answer : answers) {
      count += answer == some ? 1 : 0;
    }
    return count;
  }

  /** The counts of the elements. */
  public byte[] times() {
    return counts;
  }

  /** Whether its content is raw, and so always used bit by bit. */
  boolean isRaw() {
    return generation.isRaw();
  }

  /** Computes the bit positions of an element in a layer; returns its segment. */
  int locate(int element, FilterShape places, long[] words) {
    return hashes.locate(element, places, words);
  }

  boolean isAnswered() {
    return pending == 0;
  }

  public boolean needsLayer() {
    return needsLayer;
  }

  void setAnswer(int element, Answer answer) {
    var isAdded = answer == Answer.KNOWN && addedBefore.get(element);
    answers[element] = isAdded ? Answer.CHANGED : answer;
    pending--;
  }

  /** Records that an answer depends on the current copy of a segment. */
  void restOn(HeldSegment some) {
    if (request.isReplicated()) {
      rests.putIfAbsent(some, some.copy());
    }
  }

  Map<HeldSegment, SegmentCopy> rests() {
    return rests;
  }

  /**
   * Resets all answers, because Redis has another history, so that the elements are added again.
   */
  void reopen() {
    if (isRaw()) {
      return;
    }
    for (var i = 0; i < answers.length; i++) {
      addedBefore.set(i, addedBefore.get(i) || answers[i] == Answer.CHANGED);
    }
    Arrays.fill(answers, null);
    Arrays.fill(layers, (byte) 0);
    rests.clear();
    pending = answers.length;
  }

  int answered() {
    return answers.length - pending;
  }

  /**
   * Records that Redis did not confirm the copy of a full layer that elements have passed. They may
   * be in it, even if not found in later layers.
   */
  void markUnconfirmed() {
    isUnconfirmed = true;
  }

  /** Records that an element is in none of the layers searched so far. */
  void setAbsent(int element) {
    if (!isUnconfirmed) {
      setAnswer(element, Answer.ABSENT);
    }
  }

  void setCount(int element, int times) {
    counts[element] = (byte) times;
    setAnswer(element, times > 0 ? Answer.KNOWN : Answer.ABSENT);
  }

  /** Sends a refused element to the next layer, or refuses it if there is none. */
  void refuse(int element) {
    if (hasLaterLayer(element)) {
      layers[element]++;
    } else if (generation.grows()) {
      needsLayer = true;
    } else {
      setAnswer(element, Answer.REFUSED);
    }
  }

  /** Applies the answer of a layer. An absent or refused element goes to the next layer. */
  void apply(int element, Answer some) {
    if (some == Answer.REFUSED || (some == Answer.ABSENT && hasLaterLayer(element))) {
      refuse(element);
    } else if (some == Answer.ABSENT) {
      setAbsent(element);
    } else {
      setAnswer(element, some);
    }
  }

  /** Whether there is a layer after the one being searched for an element. */
  boolean hasLaterLayer(int element) {
    return layers[element] + 1 < generation.layers().size();
  }

  /**
   * Replaces the former live generation after a commit. An element that this one has taken keeps
   * the former one's answer, if there is one, as in requests that ended before the commit.
   */
  void replace(ElementPart former) {
    for (var i = 0; i < answers.length; i++) {
      if (isIn(answers[i]) && isIn(former.answers[i])) {
        answers[i] = former.answers[i];
      }
    }
  }

  /** Whether the element of an add with this answer is in the generation. */
  private static boolean isIn(Answer answer) {
    return answer == Answer.CHANGED || answer == Answer.KNOWN;
  }

  /**
   * Adds pending elements to a round, as far as their segments are free.
   *
   * @param left the elements that an earlier generation may not answer in this round. They wait,
   *     because the live one decides which of several adds is the first. This one's are added.
   */
  void join(Round round, long[] words, BitSet left) {
    if (isRaw()) {
      joinRaw(round, words, left);
      return;
    }
    needsLayer = false;
    if (isUnconfirmed) {
      searchAgain();
    }
    var turns = new LayerTurns[generation.layers().size()];
    for (var i = 0; pending > 0 && i < answers.length; i++) {
      if (!round.hasRoom()) {
        left.set(i, answers.length);
        return;
      }
      if (answers[i] == null && (left.get(i) || !join(round, turns, i, words))) {
        left.set(i);
      }
    }
  }

  private void joinRaw(Round round, long[] words, BitSet left) {
    var call = round.rawBits(this);
    var hasRoom = true;
    for (var i = 0; i < answers.length; i++) {
      if (answers[i] == null) {
        if (hasRoom && !left.get(i)) {
          locate(i, generation.shape(), words);
          hasRoom = call.ask(this, i, words);
        }
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
  private boolean join(Round round, LayerTurns[] turns, int element, long[] words) {
    var first = layers[element];
    while (true) {
      var index = layers[element];
      if (turns[index] == null) {
        turns[index] = round.turns(generation, generation.layers().get(index));
      }
      var layer = turns[index].layer();
      var segment = locate(element, layer.places(), words);
      var turn = turns[index].of(segment);
      if (turn == null) {
        var bits = round.bits(this, layer, segment);
        if (bits.isPresent()) {
          // After a full layer the element waits for the next round, because a bit-by-bit answer
          // would arrive before that layer is confirmed.
          if (index == first) {
            bits.get().ask(this, element, words);
          }
          return false;
        }
        var begun = round.turn(turns[index], segment, pending);
        if (begun.isEmpty()) {
          return false;
        }
        turn = begun.get();
      }
      var isPassed = turn.isPassed(words);
      if (!isPassed || !hasLaterLayer(element)) {
        turn.ask(this, element, words);
        return !isPassed;
      }
      turn.pass(this);
      layers[element]++;
    }
  }
}
