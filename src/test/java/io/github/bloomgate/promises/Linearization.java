package io.github.bloomgate.promises;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Searches for an order of calls in which the model gives the same answers. A call that was
 * answered before another began must come first. Uses the algorithm of Wing and Gong.
 *
 * <p>With an open rebuild, an add goes to two generations one after the other, and starts again if
 * the filter has changed in between. Other calls may therefore see it before its response, and see
 * it disappear. A failed add may leave its elements in the filter. After its response, an add is in
 * both generations. The same applies to an add to a filter of several segments that is renamed.
 * Elements are loaded first and then counted as loaded, for calls that require a least number.
 *
 * <p>An add may also reach the next generation first, if the live one must grow, and continue after
 * a commit has made it the live one. A counting filter then counts it twice.
 */
final class Linearization {

  /** The most attempts of an add before the last one. */
  private static final int MOST_TRIES = 4;

  /** More than almost any order has needed. Without a limit, a wrong answer would take hours. */
  private static final int MOST_PLACES = 300_000;

  private final ModelFilters before;
  private final boolean addsInParts;
  private final Set<String> failed = new HashSet<>();
  private List<ModelEvent> events;

  /**
   * Whether loads may be visible before they are done, and adds in a generation that a commit makes
   * live.
   */
  private boolean withRareOrders;

  private boolean[] done;

  /** The elements that an add found new when it began, one bit for each. */
  private int[] found;

  /** The elements found new in the next generation, which may since be the live one. */
  private int[] foundInNext;

  private int[] tries;

  /** The generations of the filter when an add last began. */
  private String[] begunIn;

  /**
   * A search.
   *
   * @param before the state before the calls
   * @param addsInParts whether adds and loads may be seen before they are done
   */
  Linearization(ModelFilters before, boolean addsInParts) {
    this.before = before;
    this.addsInParts = addsInParts;
  }

  /** A search that was given up, so that it is not known whether there is an order. */
  static final class CutOffException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private CutOffException(String hint) {
      super("The search for an order was given up, " + hint);
    }
  }

  private boolean isCutOff() {
    return failed.size() > MOST_PLACES;
  }

  /**
   * Returns the model after a valid order. Fails if there is none; with {@link CutOffException} if
   * none was found in {@link #MOST_PLACES}.
   */
  ModelFilters check(List<ModelEvent> all, String hint) {
    events = all.stream().filter(event -> !isUnseen(event, all)).toList();
    done = new boolean[events.size()];
    found = new int[events.size()];
    foundInNext = new int[events.size()];
    tries = new int[events.size()];
    begunIn = new String[events.size()];
    var after = search(before);
    if (after == null && addsInParts) {
      // Few histories need these orders, and there are many more of them.
      withRareOrders = true;
      failed.clear();
      after = search(before);
    }
    if (after == null && isCutOff()) {
      throw new CutOffException(hint);
    }
    if (after == null) {
      var text = new StringBuilder("No order gives these answers, " + hint + "\n");
      text.append("before: ").append(before.text()).append('\n');
      all.stream()
          .sorted(Comparator.comparingLong(ModelEvent::begun))
          .forEach(event -> text.append(event).append('\n'));
      fail(text.toString());
    }
    return after;
  }

  /**
   * Whether a batch of a stream with an unknown outcome fits into any order, because no other call
   * names its elements. Such batches multiply the places of the search.
   */
  private static boolean isUnseen(ModelEvent event, List<ModelEvent> all) {
    return event.call().kind() == ModelCall.Kind.LINES
        && event.mayHaveActed()
        && event.mayHaveDoneNothing()
        && all.stream()
            .allMatch(
                other ->
                    other.equals(event)
                        || Collections.disjoint(other.call().elements(), event.call().elements()));
  }

  private ModelFilters search(ModelFilters model) {
    var firstEnd = firstEnd();
    if (firstEnd == Long.MAX_VALUE) {
      return model;
    }
    var place =
        Arrays.toString(done)
            + Arrays.toString(found)
            + Arrays.toString(foundInNext)
            + Arrays.toString(tries)
            + Arrays.toString(begunIn)
            + model.text();
    if (failed.contains(place) || isCutOff()) {
      return null;
    }
    for (var i = 0; i < done.length; i++) {
      // A call that began after another ended cannot come before it.
      if (!done[i] && events.get(i).begun() <= firstEnd) {
        var after = next(i, model);
        if (after != null) {
          return after;
        }
      }
    }
    failed.add(place);
    return null;
  }

  /** When the first unfinished call was answered. */
  private long firstEnd() {
    var first = Long.MAX_VALUE;
    for (var i = 0; i < done.length; i++) {
      first = done[i] ? first : Math.min(first, events.get(i).ended());
    }
    return first;
  }

  private ModelFilters next(int i, ModelFilters model) {
    var event = events.get(i);
    done[i] = true;
    ModelFilters after = null;
    if (mayBegin(i, model)) {
      var changed = model.copy();
      var answer = changed.call(event.call());
      if (event.mayHaveActed() || isAnswered(i, answer, model)) {
        after = search(changed);
      }
    }
    if (after == null && event.mayHaveDoneNothing()) {
      after = search(model);
    }
    if (after == null && tries[i] > 0) {
      after = finish(i, model);
    }
    if (after == null
        && withRareOrders
        && is(ModelCall.Kind.COMMIT, i)
        && model.counts(event.call())) {
      after = commitAmidAdds(i, 0, model);
    }
    done[i] = false;
    if (after == null && isPartial(i)) {
      after = begin(i, model, is(ModelCall.Kind.LOAD, i));
    }
    if (after == null && mayReachNextFirst(i, model)) {
      after = begin(i, model, true);
    }
    return after;
  }

  private boolean mayReachNextFirst(int i, ModelFilters model) {
    return withRareOrders && adds(i) && mayTry(i) && !model.counts(events.get(i).call());
  }

  /** A counted add is made again only if the filter or its rebuild has changed. */
  private boolean mayBegin(int i, ModelFilters model) {
    var call = events.get(i).call();
    return tries[i] == 0 || !model.counts(call) || !model.generations(call).equals(begunIn[i]);
  }

  private boolean is(ModelCall.Kind kind, int i) {
    return events.get(i).call().kind() == kind;
  }

  private boolean adds(int i) {
    return events.get(i).call().kind().adds();
  }

  private boolean isPartial(int i) {
    return addsInParts
        && (is(ModelCall.Kind.LOAD, i) ? withRareOrders && tries[i] == 0 : adds(i) && mayTry(i));
  }

  private boolean mayTry(int i) {
    return tries[i] < MOST_TRIES;
  }

  /** A commit that includes the part of running adds that is already in the next generation. */
  private ModelFilters commitAmidAdds(int commit, int from, ModelFilters model) {
    var call = events.get(commit).call();
    var firstEnd = Math.min(firstEnd(), events.get(commit).ended());
    for (var i = from; i < done.length; i++) {
      if (done[i] || !adds(i) || !mayTry(i) || events.get(i).begun() > firstEnd) {
        continue;
      }
      var changed = model.copy();
      changed.begin(events.get(i).call(), true);
      var before = begunIn[i];
      begunIn[i] = model.generations(call);
      tries[i]++;
      var committed = changed.copy();
      var isCommitted = events.get(commit).hasAnswer(committed.call(call));
      var after = isCommitted ? search(committed) : null;
      if (after == null) {
        after = commitAmidAdds(commit, i + 1, changed);
      }
      tries[i]--;
      begunIn[i] = before;
      if (after != null) {
        return after;
      }
    }
    return null;
  }

  /** An add that has reached only one generation, or a load that is not counted yet. */
  private ModelFilters begin(int i, ModelFilters model, boolean intoNext) {
    if (!mayBegin(i, model)) {
      return null;
    }
    var changed = model.copy();
    var answer = changed.begin(events.get(i).call(), intoNext);
    if (changed.text().equals(model.text())) {
      return null;
    }
    var into = intoNext && adds(i) ? foundInNext : found;
    var was = into[i];
    var before = begunIn[i];
    into[i] |= bits(answer);
    begunIn[i] = model.generations(events.get(i).call());
    tries[i]++;
    var after = search(changed);
    tries[i]--;
    begunIn[i] = before;
    into[i] = was;
    return after;
  }

  /** Finishes calls whose generation has not changed since they began. */
  private ModelFilters finish(int i, ModelFilters model) {
    var changed = model.copy();
    var answer = changed.finish(events.get(i).call(), begunIn[i]);
    return answer != null && isAnswered(i, answer, model) ? search(changed) : null;
  }

  /**
   * An add reports elements as new that were new when it began. If a commit replaced that content,
   * the new content decides.
   */
  private boolean isAnswered(int i, String answer, ModelFilters model) {
    var event = events.get(i);
    return event.hasAnswer(withFound(found[i], answer))
        || (tries[i] > 0
            && !live(begunIn[i]).equals(live(model.generations(event.call())))
            && (event.hasAnswer(answer) || event.hasAnswer(withFound(foundInNext[i], answer))));
  }

  private static String live(String generations) {
    return generations.split(" ")[0];
  }

  private static String withFound(int found, String answer) {
    if (found == 0 || !answer.startsWith("flags ")) {
      return answer;
    }
    var text = new StringBuilder(answer);
    for (var bit = 0; bit < answer.length() - 6; bit++) {
      if (((found >> bit) & 1) != 0) {
        text.setCharAt(6 + bit, '1');
      }
    }
    return text.toString();
  }

  private static int bits(String flags) {
    var bits = 0;
    for (var i = 6; i < flags.length(); i++) {
      bits |= flags.charAt(i) == '1' ? 1 << (i - 6) : 0;
    }
    return bits;
  }
}
