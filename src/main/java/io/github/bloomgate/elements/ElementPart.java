package io.github.bloomgate.elements;

import io.github.bloomgate.elements.ElementRequest.Kind;
import io.github.bloomgate.filters.GenerationView;
import io.github.bloomgate.hash.FilterShape;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/** The elements of a request in one generation: what became of each, and which are left. */
public final class ElementPart {

  /** What became of an element in a generation. */
  public enum Answer {
    /** Nothing yet. */
    PENDING,
    /** It is certainly not there; a removal found nothing. */
    ABSENT,
    /** It might be there; an add changed nothing. */
    KNOWN,
    /** It was certainly not there, and is now; a removal took it out. */
    CHANGED,
    /** It is new, and its segment takes no more elements. */
    REFUSED
  }

  private final ElementRequest request;
  private final ElementHashes hashes;
  private final GenerationView generation;
  private final Answer[] answers;
  private final byte[] layers;
  private final byte[] counts;

  /** The histories of the segments that answers rest on, of a request that replicas confirm. */
  private final Map<HeldSegment, Integer> rests;

  /** The elements that were added before the answers turned out to rest on another history. */
  private final BitSet addedBefore;

  /** The elements that are asked for bit by bit. */
  private final BitSet underWay = new BitSet();

  private int pending;
  private boolean needsLayer;

  /** Whether a full layer that elements were not in has turned out to be another one. */
  private boolean isInDoubt;

  ElementPart(ElementRequest request, ElementHashes hashes, GenerationView generation) {
    this(
        request,
        hashes,
        generation,
        pending(hashes.count()),
        new byte[hashes.count()],
        new byte[request.kind() == Kind.COUNT ? hashes.count() : 0],
        new HashMap<>(),
        new BitSet(),
        hashes.count());
  }

  private ElementPart(
      ElementRequest request,
      ElementHashes hashes,
      GenerationView generation,
      Answer[] answers,
      byte[] layers,
      byte[] counts,
      Map<HeldSegment, Integer> rests,
      BitSet addedBefore,
      int pending) {
    this.request = request;
    this.hashes = hashes;
    this.generation = generation;
    this.answers = answers;
    this.layers = layers;
    this.counts = counts;
    this.rests = rests;
    this.addedBefore = addedBefore;
    this.pending = pending;
  }

  private static Answer[] pending(int count) {
    var answers = new Answer[count];
    Arrays.fill(answers, Answer.PENDING);
    return answers;
  }

  boolean isOf(GenerationView some) {
    return generation.incarnation().equals(some.incarnation());
  }

  /** The same elements and answers, in another version of the same content. */
  ElementPart of(GenerationView changed) {
    return new ElementPart(
        request, hashes, changed, answers, layers, counts, rests, addedBefore, pending);
  }

  ElementRequest request() {
    return request;
  }

  public GenerationView generation() {
    return generation;
  }

  /** How many elements there are. */
  public int count() {
    return answers.length;
  }

  /** What became of an element. */
  public Answer answer(int element) {
    return answers[element];
  }

  /** For each element whether it had this answer. */
  public boolean[] flags(Answer some) {
    var flags = new boolean[answers.length];
    for (var i = 0; i < flags.length; i++) {
      flags[i] = answers[i] == some;
    }
    return flags;
  }

  /** The index of the first element that had this answer. */
  public int first(Answer some) {
    return Arrays.asList(answers).indexOf(some);
  }

  /** How many elements had this answer. */
  public int count(Answer some) {
    var count = 0;
    for (var answer : answers) {
      count += answer == some ? 1 : 0;
    }
    return count;
  }

  /** How often each element was added at most, of a request that counts. */
  public byte[] times() {
    return counts;
  }

  /** The indexes of the first elements without an answer. */
  int[] unanswered(int most) {
    return IntStream.range(0, answers.length)
        .filter(i -> answers[i] == Answer.PENDING)
        .limit(most)
        .toArray();
  }

  /** Whether its content has no segments for the rounds, see {@link RawElements}. */
  boolean isRaw() {
    return generation.filter().isRaw();
  }

  /** Computes where the bits of an element are in a layer; returns its segment. */
  int locate(int element, FilterShape places, long[] words) {
    return hashes.locate(element, places, words);
  }

  boolean isSettled() {
    return pending == 0;
  }

  /** Whether an element waits for a layer that is not there yet. */
  public boolean needsLayer() {
    return needsLayer;
  }

  void settle(int element, Answer answer) {
    var isAdded = answer == Answer.KNOWN && addedBefore.get(element);
    answers[element] = isAdded ? Answer.CHANGED : answer;
    pending--;
  }

  /** Notes that an answer comes from a segment, as its copy is now. */
  void restOn(HeldSegment some) {
    if (request.isReplicated()) {
      rests.putIfAbsent(some, some.history());
    }
  }

  /** The segments that answers rest on, and the history of each. */
  Map<HeldSegment, Integer> rests() {
    return rests;
  }

  /** Has all elements be added again, because Redis has another history than the answers. */
  void reopen() {
    if (isRaw()) {
      return;
    }
    for (var i = 0; i < answers.length; i++) {
      addedBefore.set(i, addedBefore.get(i) || answers[i] == Answer.CHANGED);
    }
    Arrays.fill(answers, Answer.PENDING);
    Arrays.fill(layers, (byte) 0);
    rests.clear();
    pending = answers.length;
  }

  /** Notes that an element is asked for beside the rounds. */
  void begin(int element) {
    underWay.set(element);
  }

  void end(int element) {
    underWay.clear(element);
  }

  boolean isUnderWay() {
    return !underWay.isEmpty();
  }

  /** How many elements have their answer. */
  int settled() {
    return answers.length - pending;
  }

  /**
   * Notes that Redis did not confirm the copy of a full layer that elements of this part passed.
   * What is not found behind it may still be there.
   */
  void doubt() {
    isInDoubt = true;
  }

  /** An element is in none of the layers up to the one it was looked for in. */
  void settleAbsent(int element) {
    if (!isInDoubt) {
      settle(element, Answer.ABSENT);
    }
  }

  void settle(int element, int times) {
    counts[element] = (byte) times;
    settle(element, times > 0 ? Answer.KNOWN : Answer.ABSENT);
  }

  /** Has an element that its segment refused go to the next layer, or says that there is none. */
  void refuse(int element) {
    if (hasLaterLayer(element)) {
      layers[element]++;
    } else if (generation.grows()) {
      needsLayer = true;
    } else {
      settle(element, Answer.REFUSED);
    }
  }

  /** Whether there is a layer behind the one that an element is looked for in. */
  boolean hasLaterLayer(int element) {
    return layers[element] + 1 < generation.layers().size();
  }

  /** Puts what is pending into a round, as far as its segments are free. */
  void join(Round round, long[] words) {
    needsLayer = false;
    if (isInDoubt) {
      Arrays.fill(layers, (byte) 0);
      isInDoubt = false;
    }
    for (var i = 0; pending > 0 && i < answers.length && round.hasRoom(); i++) {
      if (answers[i] == Answer.PENDING && !underWay.get(i)) {
        join(round, i, words);
      }
    }
  }

  /**
   * What a full layer holds is final: an element that it lacks is looked for in the next one. The
   * full layer is asked in the same call, because Redis may have another history of it.
   */
  private void join(Round round, int element, long[] words) {
    var first = layers[element];
    while (true) {
      var layer = generation.layers().get(layers[element]);
      var segment = locate(element, layer.places(), words);
      if (layers[element] > first && round.isBitByBit(this, layer, segment)) {
        // It is answered before the full layer is confirmed, so it waits for the next round.
        return;
      }
      var bits = round.bits(this, layer, segment);
      if (bits.isPresent()) {
        bits.get().ask(this, element, words);
        return;
      }
      var turn = round.turn(generation, layer, segment);
      if (turn.isEmpty()) {
        return;
      }
      if (!hasLaterLayer(element) || !turn.get().isPassed(words)) {
        turn.get().ask(this, element, words);
        return;
      }
      turn.get().pass(this);
      layers[element]++;
    }
  }
}
