package io.github.bloomgate.elements;

import io.github.bloomgate.elements.ElementCall.Kind;
import io.github.bloomgate.filters.Generation;
import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.segment.SegmentCopy;
import io.github.bloomgate.segment.Verdict;
import io.github.bloomgate.store.StoredContent;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** The elements of a request in one generation, with their answers. */
public final class ElementPart {

  private final ElementRequest request;
  private final ElementHashes hashes;

  /** The answer of each element; null while it has none. */
  private final Verdict[] answers;

  /** The layer in which each element is searched next. */
  private final byte[] layers;

  private final byte[] counts;

  /**
   * For a replicated request, the segments that answers depend on, with their copies. A segment
   * with another history has another copy.
   */
  private final Map<HeldSegment, SegmentCopy> rests = new HashMap<>();

  /** Elements added before their answers turned out to depend on another history. */
  private final BitSet addedBefore = new BitSet();

  private Generation generation;
  private int pending;

  /** All elements before it have answers. */
  private int firstPending;

  private boolean needsLayer;

  /** Whether Redis did not confirm a full layer in which elements were not found. */
  private boolean isUnconfirmed;

  ElementPart(ElementRequest request, ElementHashes hashes, Generation generation) {
    this.request = request;
    this.hashes = hashes;
    this.generation = generation;
    this.answers = new Verdict[hashes.count()];
    this.layers = new byte[answers.length];
    this.counts = new byte[request.kind() == Kind.COUNT ? answers.length : 0];
    this.pending = answers.length;
  }

  /** The most bits that a round would compute and look up to answer the pending elements. */
  long work() {
    var ofElement = RoundRoom.WORK_OF_ELEMENT;
    for (var layer : generation.layers()) {
      var format = layer.format();
      ofElement += (1 + format.kind().copiesOfBits()) * format.numHashFunctions();
    }
    return (long) ofElement * pending;
  }

  /** The most segments that a round would ask to answer the pending elements. */
  long segments() {
    return Math.min((long) generation.layers().size() * pending, generation.segments());
  }

  boolean isOf(Generation some) {
    return generation.incarnation().equals(some.incarnation());
  }

  /**
   * Continues with another version of the same content. Elements without an answer are searched
   * from the first layer on, because no reply may have confirmed the layers that they have passed.
   */
  ElementPart follow(Generation changed) {
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

  public Generation generation() {
    return generation;
  }

  public int count() {
    return answers.length;
  }

  /** The answer of an element, or null if it has none yet. */
  public Verdict answer(int element) {
    return answers[element];
  }

  public boolean[] flags(Verdict some) {
    var flags = new boolean[answers.length];
    for (var i = 0; i < flags.length; i++) {
      flags[i] = answers[i] == some;
    }
    return flags;
  }

  /** The index of the first element with this answer. */
  public int first(Verdict some) {
    return Arrays.asList(answers).indexOf(some);
  }

  public int count(Verdict some) {
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

  /**
   * Whether copies of segments may answer. Raw content is always used bit by bit, and each of its
   * calls waits for replicas itself.
   */
  boolean hasSegments() {
    return generation.storedContent() instanceof StoredContent.Segmented;
  }

  /** Computes the bit positions of an element in a layer; returns its segment. */
  int locate(int element, FilterShape places, long[] words) {
    return hashes.locate(element, places, words);
  }

  boolean isAnswered() {
    return pending == 0;
  }

  /** The number of elements without an answer. */
  int pending() {
    return pending;
  }

  /** Prepares for another round; returns the first element without an answer. */
  int beginRound() {
    needsLayer = false;
    if (isUnconfirmed) {
      searchAgain();
    }
    while (firstPending < answers.length && answers[firstPending] != null) {
      firstPending++;
    }
    return firstPending;
  }

  /** The layer in which an element is searched next. */
  int layer(int element) {
    return layers[element];
  }

  /** Searches an element in the layer after that. */
  void passLayer(int element) {
    layers[element]++;
  }

  public boolean needsLayer() {
    return needsLayer;
  }

  /**
   * Records an answer. One from a layer after an unconfirmed one does not count: tests would not
   * find an element there once the earlier layer turns out not to be full. Only a test that has
   * found its element may end.
   */
  void setAnswer(int element, Verdict answer) {
    if (isDoubtful(element) && (request.kind().changes() || answer == Verdict.ABSENT)) {
      addedBefore.set(element, addedBefore.get(element) || answer == Verdict.CHANGED);
      return;
    }
    var isAdded = answer == Verdict.KNOWN && addedBefore.get(element);
    answers[element] = isAdded ? Verdict.CHANGED : answer;
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
    if (!hasSegments()) {
      return;
    }
    for (var i = 0; i < answers.length; i++) {
      addedBefore.set(i, addedBefore.get(i) || answers[i] == Verdict.CHANGED);
    }
    Arrays.fill(answers, null);
    Arrays.fill(layers, (byte) 0);
    rests.clear();
    pending = answers.length;
    firstPending = 0;
  }

  int answered() {
    return answers.length - pending;
  }

  /** The number of elements of a change that are done. */
  int applied() {
    return answered() - count(Verdict.REFUSED);
  }

  /**
   * Records that Redis did not confirm the copy of a full layer that elements have passed. They may
   * be in it, or belong there. They are searched again with the next round.
   */
  void markUnconfirmed() {
    isUnconfirmed = true;
  }

  /** Whether the element has passed a layer that Redis may not have confirmed. */
  private boolean isDoubtful(int element) {
    return isUnconfirmed && layers[element] > 0;
  }

  void setCount(int element, int times) {
    counts[element] = (byte) times;
    setAnswer(element, times > 0 ? Verdict.KNOWN : Verdict.ABSENT);
  }

  /** Sends a refused element to the next layer, or refuses it if there is none. */
  void refuse(int element) {
    if (isDoubtful(element)) {
      return;
    }
    if (hasLaterLayer(element)) {
      passLayer(element);
    } else if (generation.grows()) {
      needsLayer = true;
    } else {
      setAnswer(element, Verdict.REFUSED);
    }
  }

  /** Applies the answer of a layer. An absent or refused element goes to the next layer. */
  void apply(int element, Verdict some) {
    if (some == Verdict.REFUSED || (some == Verdict.ABSENT && hasLaterLayer(element))) {
      refuse(element);
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
  private static boolean isIn(Verdict answer) {
    return answer == Verdict.CHANGED || answer == Verdict.KNOWN;
  }
}
