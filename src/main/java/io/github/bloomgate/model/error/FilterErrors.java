package io.github.bloomgate.model.error;

/** Errors of filters. */
public final class FilterErrors {

  private FilterErrors() {}

  public static BloomException cannotBeIdle(Object name) {
    return RequestErrors.invalid(
        "The filter '%s' uses the bitmap of another library, whose own adds and tests cannot be seen, so it cannot expire when idle. Nothing was changed. Send ttlSeconds or expiresAt."
            .formatted(name));
  }

  public static BloomException notFound(Object name) {
    return BloomException.of(
        ErrorCode.FILTER_NOT_FOUND,
        "There is no filter '%s': it was never created, was deleted or has expired. Create it with PUT /v1/filters/%s."
            .formatted(name, name));
  }

  /** The new name of a filter is taken. */
  public static BloomException nameTaken(Object name) {
    return BloomException.of(
        ErrorCode.FILTER_EXISTS,
        "A filter '%s' exists. Choose another name, or send \"replace\": true to replace it."
            .formatted(name));
  }

  /** The filter changed during each attempt of the request. */
  public static BloomException changed(Object name) {
    return BloomException.of(
        ErrorCode.FILTER_CHANGED,
        "The filter '%s' was changed by other clients during each attempt of this request. Repeat it."
            .formatted(name));
  }

  /**
   * The request took effect, but another client deleted or renamed the filter before it was
   * described.
   */
  public static BloomException changedSince(Object name) {
    return BloomException.of(
        ErrorCode.FILTER_CHANGED,
        "The request took effect, but the filter '%s' was deleted or renamed by another client before it could be described. Check the filters before you repeat the request."
            .formatted(name));
  }

  /** The filter has bits, but the request needs counters. */
  public static BloomException notCounting(Object name) {
    return RequestErrors.invalid(
        "The filter '%s' does not count its elements, so none can be removed or counted. Nothing was changed. Create a filter with \"counting\": true and add the elements to it."
            .formatted(name));
  }

  /** Part of a filter is missing, so any answer about its elements could be wrong. */
  public static BloomException damaged(Object name, String key) {
    return BloomException.of(
        ErrorCode.FILTER_DAMAGED,
        "The Redis key %s of the filter '%s' is missing or incomplete, so its elements are no longer known. Check whether Redis evicts keys (maxmemory-policy). Rebuild the filter from your data with POST /v1/filters/%s/rebuild, or delete it and create it again."
            .formatted(key, name, name));
  }

  public static BloomException unknownFormat(Object name, String format) {
    return BloomException.of(
        ErrorCode.FILTER_DAMAGED,
        "The filter '%s' is stored in format %s, which this version of the service cannot read. Use the version that created it, or a later one."
            .formatted(name, format));
  }

  public static BloomException wrongKeyType(Object name, String key) {
    return new BloomException(
        ErrorCode.WRONG_KEY_TYPE,
        "The Redis key %s of the filter '%s' has an unexpected type, because another program wrote it. Remove or rename that key in Redis."
            .formatted(key, name),
        "Nothing was changed.",
        null,
        null);
  }

  /**
   * The content of an adopted key does not fit the filter.
   *
   * @param problem completes "the Redis key ..."
   */
  public static BloomException keyMismatch(Object name, String key, String problem) {
    return new BloomException(
        ErrorCode.KEY_MISMATCH,
        "The Redis key %s %s, so it does not fit the filter '%s'. Compare the hashScheme, bitSize and numHashFunctions with the library's. If the library has recreated the key since you adopted it, delete the filter with DELETE /v1/filters/%s, which keeps the key, and adopt it again."
            .formatted(key, problem, name, name),
        "Nothing was changed.",
        null,
        null);
  }
}
