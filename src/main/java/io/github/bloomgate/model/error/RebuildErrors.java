package io.github.bloomgate.model.error;

/** Errors of rebuilds, manual or from a source. */
public final class RebuildErrors {

  private RebuildErrors() {}

  public static BloomException notFound(Object name) {
    return BloomException.of(
        ErrorCode.REBUILD_NOT_FOUND,
        "The filter '%s' has no open rebuild, or its open rebuild has another id. It may have been committed, aborted or abandoned. GET /v1/filters/%s/rebuild shows the open one; POST opens one."
            .formatted(name, name));
  }

  public static BloomException inProgress(Object name) {
    return BloomException.of(
        ErrorCode.REBUILD_IN_PROGRESS,
        "A rebuild of the filter '%s' is open. Commit it with POST /v1/filters/%s/rebuild/commit or abort it with DELETE /v1/filters/%s/rebuild first."
            .formatted(name, name, name));
  }

  public static BloomException tooFew(Object name, long loaded, long minElements) {
    return loaded == 0 && minElements == 1
        ? empty(name)
        : BloomException.of(
            ErrorCode.REBUILD_TOO_SMALL,
            "%s loaded into the rebuild of the filter '%s', but the commit requires at least %d. Check the source, then load the rest or require fewer. The content was not replaced."
                .formatted(RequestErrors.elementsWere(loaded), name, minElements));
  }

  private static BloomException empty(Object name) {
    return BloomException.of(
        ErrorCode.REBUILD_EMPTY,
        "Nothing was loaded into the rebuild of the filter '%s', and a commit would empty the filter. Load elements first, or set allowEmpty to true, in the body of a commit or in the URL of a replacement. Nothing was changed."
            .formatted(name));
  }

  public static BloomException sourceNotFound(Object name) {
    return BloomException.of(
        ErrorCode.SOURCE_NOT_FOUND,
        "The filter '%s' has no source to rebuild it from. Set one with PUT /v1/filters/%s/source."
            .formatted(name, name));
  }

  /** Only another instance can read the source. */
  public static BloomException sourceUnknown(Object name) {
    return BloomException.of(
        ErrorCode.FILTER_DAMAGED,
        "This instance cannot read the source of the filter '%s': a newer version of the service has set it, or it names a time zone that the Java version of this instance does not know. Other instances may still run it. Update this instance, or set the source again with PUT /v1/filters/%s/source. The filter itself is not affected."
            .formatted(name, name));
  }

  /** The key of the source holds something else. */
  public static BloomException sourceDamaged(Object name, String key) {
    return BloomException.of(
        ErrorCode.FILTER_DAMAGED,
        "The Redis key %s does not hold a source of the filter '%s', perhaps because another program wrote it. Set the source again with PUT /v1/filters/%s/source. The filter itself is not affected."
            .formatted(key, name, name));
  }

  /**
   * The source is missing, refused, cut short or holds an invalid element.
   *
   * @param detail the fault and the remedy; never its content
   */
  public static BloomException sourceUnreadable(String detail) {
    return BloomException.of(ErrorCode.SOURCE_UNREADABLE, detail);
  }

  public static BloomException runInProgress(Object name) {
    return BloomException.of(
        ErrorCode.REBUILD_IN_PROGRESS,
        "The filter '%s' is being rebuilt from its source. Follow its progress with GET /v1/filters/%s/source."
            .formatted(name, name));
  }

  /**
   * A run did not end, and cannot be continued without losing adds.
   *
   * @param reason a sentence without its full stop
   */
  public static BloomException runInterrupted(Object name, String reason) {
    return BloomException.of(
        ErrorCode.RUN_INTERRUPTED,
        "%s. The filter '%s' keeps its content. Run the source again with POST /v1/filters/%s/rebuild/run, or wait for its next scheduled run."
            .formatted(reason, name, name));
  }

  /** The instance of the run stops, and another one continues the run. */
  public static BloomException runStopped(Object name) {
    return BloomException.of(
        ErrorCode.RUN_INTERRUPTED,
        "This instance is shutting down, so it does not run the source of the filter '%s' to its end. Another instance continues the run, or this one after a restart. Follow its progress with GET /v1/filters/%s/source."
            .formatted(name, name));
  }

  /** The run no longer belongs to the filter's source and had no effect. */
  public static BloomException runLost(Object name) {
    return BloomException.of(
        ErrorCode.FILTER_CHANGED,
        "The filter '%s' or its source was renamed, replaced or removed while the filter was rebuilt from it. Nothing was changed by this run. Check the filter and its source, then run it again if that is still needed."
            .formatted(name));
  }
}
