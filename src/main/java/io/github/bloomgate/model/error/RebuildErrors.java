package io.github.bloomgate.model.error;

/** What keeps a filter from being rebuilt, by hand or from its source. */
public final class RebuildErrors {

  private RebuildErrors() {}

  /** No rebuild is open under this name, or not the one that was meant. */
  public static BloomException notFound(Object name) {
    return BloomException.of(
        ErrorCode.REBUILD_NOT_FOUND,
        "The filter '%s' has no such rebuild: none was opened, or it was committed, aborted or abandoned. Open one with POST /v1/filters/%s/rebuild."
            .formatted(name, name));
  }

  /** A rebuild is open and forbids what was asked for. */
  public static BloomException inProgress(Object name) {
    return BloomException.of(
        ErrorCode.REBUILD_IN_PROGRESS,
        "A rebuild of the filter '%s' is open. Commit it with POST /v1/filters/%s/rebuild/commit or abort it with DELETE /v1/filters/%s/rebuild first."
            .formatted(name, name, name));
  }

  /**
   * Fewer elements were loaded into a rebuild than it must have to be committed.
   *
   * @param loaded how many were
   * @param minElements how many must be
   */
  public static BloomException tooFew(Object name, long loaded, long minElements) {
    return loaded == 0 && minElements == 1
        ? empty(name)
        : BloomException.of(
            ErrorCode.REBUILD_TOO_SMALL,
            "%d elements were loaded into the rebuild of the filter '%s', and at least %d are required for it to be committed. Look whether its source is what you expect, then load the rest, or require fewer. The content was not replaced."
                .formatted(loaded, name, minElements));
  }

  /** A rebuild into which nothing was loaded would empty the filter. */
  private static BloomException empty(Object name) {
    return BloomException.of(
        ErrorCode.REBUILD_EMPTY,
        "Nothing was loaded into the rebuild of the filter '%s', and to commit it would empty the filter. Load elements first, or set allowEmpty to true: a field of the commit, a parameter of the URL where the whole content is replaced. Nothing was changed."
            .formatted(name));
  }

  /** What a rebuild loads cannot take an element that the live filter took. */
  public static BloomException full(Object name, long expectedInsertions) {
    return new BloomException(
        ErrorCode.FILTER_FULL,
        "What a rebuild of the filter '%s' is loading holds its %d expected insertions and rejects new elements, so the elements of this request would be lost when it is committed. Abort the rebuild, or open one for more elements."
            .formatted(name, expectedInsertions),
        new ProblemDetails.Applied(0, false),
        null);
  }

  /** The filter is not rebuilt from a source. */
  public static BloomException sourceNotFound(Object name) {
    return BloomException.of(
        ErrorCode.SOURCE_NOT_FOUND,
        "The filter '%s' has no source to be rebuilt from. Give it one with PUT /v1/filters/%s/source."
            .formatted(name, name));
  }

  /**
   * A source is missing, refused, cut short or holds what is no element.
   *
   * @param detail what is wrong with it and what to do; never what it holds
   */
  public static BloomException sourceUnreadable(String detail) {
    return BloomException.of(ErrorCode.SOURCE_UNREADABLE, detail);
  }

  /** The filter is being rebuilt from its source already. */
  public static BloomException runInProgress(Object name) {
    return BloomException.of(
        ErrorCode.REBUILD_IN_PROGRESS,
        "The filter '%s' is being rebuilt from its source. Watch it with GET /v1/filters/%s/source."
            .formatted(name, name));
  }

  /** A run ended without effect, because it is not the one of the filter's source any more. */
  public static BloomException runLost(Object name) {
    return BloomException.of(
        ErrorCode.FILTER_CHANGED,
        "The filter '%s' or its source was renamed, replaced or removed while the filter was rebuilt from it. Nothing was changed by this run."
            .formatted(name));
  }

  /** A run was cut off again and again, so it is not tried once more. */
  public static BloomException runCutOff(int attempts) {
    return BloomException.of(
        ErrorCode.INTERNAL,
        "The run was cut off %d times, each time with the instance of the service that did it. Look at the logs of the instances."
            .formatted(attempts));
  }
}
