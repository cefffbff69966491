package io.github.bloomgate.promises;

import java.util.List;
import java.util.TreeMap;

/**
 * Computes the correct answers from sets of numbers. The answer is "maybe" exactly if the element
 * is in the set, because the filters of the test are too large for false positives. In a window,
 * elements leave the set when they expire.
 */
final class ModelFilters {

  private static final String NOT_FOUND = "FILTER_NOT_FOUND";
  private static final String NO_REBUILD = "REBUILD_NOT_FOUND";
  private static final String OPEN = "REBUILD_IN_PROGRESS";
  private static final String INVALID = "INVALID_REQUEST";

  private final TreeMap<Integer, ModelFilter> filters = new TreeMap<>();
  private int generations;

  ModelFilters copy() {
    var copy = new ModelFilters();
    filters.forEach((name, held) -> copy.filters.put(name, held.copy()));
    copy.generations = generations;
    return copy;
  }

  private ModelContent made(ModelContent content) {
    content.number = ++generations;
    return content;
  }

  /** Equal texts mean equal models. */
  String text() {
    var text = new StringBuilder();
    filters.forEach((name, held) -> text.append(name).append(':').append(held.text()));
    return text.toString();
  }

  /** Whether a call merges two growing filters, because the merge compares their layers first. */
  boolean isMergeOfGrowing(ModelCall call) {
    var held = filters.get(call.name());
    var other = filters.get(call.other());
    return call.kind() == ModelCall.Kind.MERGE
        && call.name() != call.other()
        && held != null
        && other != null
        && held.live.shape == ModelledService.GROWING
        && other.live.shape == ModelledService.GROWING;
  }

  String call(ModelCall call) {
    var held = filters.get(call.name());
    var other = filters.get(call.other());
    return switch (call.kind()) {
      case CREATE -> create(call, held);
      case ADD, REPLICATED_ADD, LINES -> held == null ? NOT_FOUND : add(held, call.elements());
      case END -> held == null ? NOT_FOUND : held.hasAll(call.elements()) ? "ended" : "incomplete";
      case TEST ->
          held == null
              ? NOT_FOUND
              : flags(call.elements().stream().map(held.live.ages::containsKey).toList());
      case REMOVE ->
          held == null
              ? NOT_FOUND
              : held.live.counts() ? held.live.remove(call.elements()) : INVALID;
      case COUNT ->
          held == null
              ? NOT_FOUND
              : held.live.counts() ? held.live.count(call.elements()) : INVALID;
      case DESCRIBE -> held == null ? NOT_FOUND : held.describe();
      case LIST -> filters.keySet().toString();
      case EXPIRE -> {
        if (held == null) {
          yield NOT_FOUND;
        }
        held.expires = call.flag();
        yield held.describe();
      }
      case CLEAR -> {
        if (held == null || held.next != null) {
          yield held == null ? NOT_FOUND : OPEN;
        }
        held.live = made(new ModelContent(held.live.shape));
        yield held.describe();
      }
      case RENAME -> {
        if (call.name() == call.other()) {
          yield INVALID;
        }
        if (held == null || (other != null && !call.flag())) {
          yield held == null ? NOT_FOUND : "FILTER_EXISTS";
        }
        filters.remove(call.name());
        filters.put(call.other(), held);
        yield held.describe();
      }
      case COPY -> copy(call, held, other);
      case MERGE -> merge(call, held, other);
      case OPEN -> {
        if (held != null && held.isUnlike(call.shape())) {
          yield INVALID;
        }
        if (held == null || held.next != null) {
          yield held == null ? NOT_FOUND : OPEN;
        }
        held.next = made(new ModelContent(call.shape()));
        held.loaded = false;
        yield "opened";
      }
      case LOAD -> {
        if (held == null || held.next == null) {
          yield NO_REBUILD;
        }
        held.loaded = true;
        yield held.next.add(call.elements());
      }
      case COMMIT -> {
        if (held == null || held.next == null) {
          yield NO_REBUILD;
        }
        if (!held.loaded && !call.flag()) {
          yield "REBUILD_EMPTY";
        }
        held.put(held.next);
        yield held.describe();
      }
      case ABORT -> {
        if (held == null || held.next == null) {
          yield NO_REBUILD;
        }
        held.next = null;
        yield "aborted";
      }
      case REPLACE -> {
        if (held != null && held.isUnlike(call.shape())) {
          yield INVALID;
        }
        if (held == null || held.next != null) {
          yield held == null ? NOT_FOUND : OPEN;
        }
        if (call.elements().isEmpty() && !call.flag()) {
          yield "REBUILD_EMPTY";
        }
        held.put(made(new ModelContent(call.shape())));
        held.live.add(call.elements());
        yield held.describe();
      }
      case EXCHANGE -> {
        if (held == null) {
          yield NOT_FOUND;
        }
        if (other != null && other.isUnlike(held.live.shape)) {
          yield INVALID;
        }
        if (other != null && other.next != null) {
          yield OPEN;
        }
        var content = made(held.live.exported());
        var target = filters.computeIfAbsent(call.other(), name -> new ModelFilter(content));
        target.put(content);
        yield target.describe();
      }
      case DELETE -> {
        filters.remove(call.name());
        yield held == null ? NOT_FOUND : "deleted";
      }
    };
  }

  private String create(ModelCall call, ModelFilter held) {
    if (held != null) {
      return held.live.shape == call.shape() ? "found" : "FILTER_EXISTS";
    }
    var created = new ModelFilter(made(new ModelContent(call.shape())));
    created.expires = call.flag();
    filters.put(call.name(), created);
    return "created";
  }

  private static String add(ModelFilter held, List<Integer> elements) {
    if (held.next != null) {
      held.next.add(elements);
    }
    return held.live.add(elements);
  }

  /** The live and the next generation of a filter. */
  String generations(ModelCall call) {
    var held = filters.get(call.name());
    return held == null ? "" : held.live.number + (held.next == null ? "" : " " + held.next.number);
  }

  /** Whether each add of an element counts. */
  boolean counts(ModelCall call) {
    var held = filters.get(call.name());
    return held != null && held.live.counts();
  }

  /**
   * Makes the first part of an add, which reaches only one generation, or of a load, which is not
   * counted yet.
   */
  String begin(ModelCall call, boolean intoNext) {
    var held = filters.get(call.name());
    if (intoNext) {
      return held == null || held.next == null ? NO_REBUILD : held.next.add(call.elements());
    }
    return held == null ? NOT_FOUND : held.live.add(call.elements());
  }

  /**
   * Finishes the call, or returns null if the generation no longer has the first part. For counting
   * filters and loads, the generations decide, because another call may have removed it. An add
   * also goes to a next generation that was opened since.
   *
   * @param begunIn the {@link #generations} at its start
   */
  String finish(ModelCall call, String begunIn) {
    var held = filters.get(call.name());
    if (held == null) {
      return null;
    }
    var isLoad = call.kind() == ModelCall.Kind.LOAD;
    if (!(isLoad ? begunIn.equals(generations(call)) : hasFirstPart(held, call, begunIn))) {
      return null;
    }
    if (isLoad) {
      held.loaded = true;
    } else if (held.next != null) {
      held.next.add(call.elements());
    }
    return flags(call.elements().stream().map(element -> false).toList());
  }

  private static boolean hasFirstPart(ModelFilter held, ModelCall call, String begunIn) {
    return held.live.counts()
        ? begunIn.split(" ")[0].equals(Integer.toString(held.live.number))
        : held.live.ages.keySet().containsAll(call.elements());
  }

  private String copy(ModelCall call, ModelFilter held, ModelFilter other) {
    if (call.name() == call.other()) {
      return INVALID;
    }
    if (held == null) {
      return NOT_FOUND;
    }
    if (other != null && !call.flag()) {
      return "FILTER_EXISTS";
    }
    if (other != null && other.isUnlike(held.live.shape)) {
      return INVALID;
    }
    if (other != null && other.next != null) {
      return OPEN;
    }
    var copy = new ModelFilter(made(held.live.copy()));
    copy.expires = held.expires;
    filters.put(call.other(), copy);
    return copy.describe();
  }

  private static String merge(ModelCall call, ModelFilter held, ModelFilter other) {
    if (call.name() == call.other()) {
      return INVALID;
    }
    if (held == null || other == null) {
      return NOT_FOUND;
    }
    if (!held.live.canJoin() || !other.live.canJoin()) {
      return INVALID;
    }
    if (held.live.shape != other.live.shape) {
      return "INCOMPATIBLE_FILTERS";
    }
    if (held.next != null) {
      return OPEN;
    }
    held.live.join(other.live);
    return held.describe();
  }

  static String flags(List<Boolean> flags) {
    var text = new StringBuilder("flags ");
    flags.forEach(flag -> text.append(flag ? '1' : '0'));
    return text.toString();
  }
}
