package io.github.bloomgate.model.error;

import static java.util.stream.Collectors.joining;

import java.util.List;

/** Errors of filters. */
public final class FilterErrors {

  private FilterErrors() {}

  public static BloomException notFound(Object name) {
    return BloomException.of(
        ErrorCode.FILTER_NOT_FOUND,
        "There is no filter '%s': it was never created, was deleted or has expired. Create it with PUT /v1/filters/%s."
            .formatted(name, name));
  }

  public static BloomException exists(Object name, List<Difference> differences) {
    return new BloomException(
        ErrorCode.FILTER_EXISTS,
        "The filter '%s' exists, but differs in %s. Use the existing filter, choose another name, or delete it first."
            .formatted(name, differences.stream().map(Difference::field).collect(joining(", "))),
        new ProblemDetails.Differences(differences),
        null);
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

  /** Another API key reserved the name a moment ago, and no filter has it yet. */
  public static BloomException beingCreated(Object name) {
    return BloomException.of(
        ErrorCode.FILTER_CHANGED,
        "Another client is creating the filter '%s'. Nothing was done; repeat the request."
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

  public static BloomException full(
      Object name, long expectedInsertions, long appliedCount, long elementCount, boolean inOrder) {
    return new BloomException(
        ErrorCode.FILTER_FULL,
        "The filter '%s' holds its %d expected insertions and rejects new elements. Create a larger filter, or one with \"whenFull\": \"accept\"."
            .formatted(name, expectedInsertions),
        "%d of the %d elements of this request were applied.".formatted(appliedCount, elementCount),
        new ProblemDetails.Applied(appliedCount, inOrder),
        null);
  }

  /**
   * An add to several filters failed for some.
   *
   * @param addedTo the names of the filters that have all elements
   */
  public static BloomException addedInPart(BloomException cause, List<?> addedTo, int filters) {
    return new BloomException(
        cause.code(),
        cause.reason(),
        "%d of the %d filters have all elements; addedTo names them. Repeat the request for the others."
            .formatted(addedTo.size(), filters),
        new ProblemDetails.AddedTo(addedTo.stream().map(Object::toString).toList()),
        cause);
  }

  /** A growing filter has reached its size limit. */
  public static BloomException fullyGrown(
      Object name,
      int layers,
      long bytes,
      long maxSizeBytes,
      long appliedCount,
      long elementCount) {
    return new BloomException(
        ErrorCode.FILTER_FULL,
        "The filter '%s' is full: it has %d layers with %d bytes in total, and another would exceed its maxSizeBytes of %d or the maximum number of layers. Rebuild it with a larger maxSizeBytes or more expectedInsertions."
            .formatted(name, layers, bytes, maxSizeBytes),
        "%d of the %d elements of this request were applied.".formatted(appliedCount, elementCount),
        new ProblemDetails.Applied(appliedCount, false),
        null);
  }

  /** The filter has bits, but the request needs counters. */
  public static BloomException notCounting(Object name) {
    return RequestErrors.invalid(
        "The filter '%s' does not count its elements, so none can be removed or counted. Nothing was changed. Create a filter with \"counting\": true and add the elements to it."
            .formatted(name));
  }

  public static BloomException renameAcrossSlots(Object name, Object to) {
    return BloomException.of(
        ErrorCode.RENAME_ACROSS_SLOTS,
        "Redis is a cluster, and the names '%s' and '%s' are in different slots, so the filter cannot be renamed in one step. Nothing was changed. Copy it with POST /v1/filters/%s/copy and {\"to\": \"%s\"}, then delete '%s'."
            .formatted(name, to, name, to, name));
  }

  /**
   * The key is in another slot than the filter.
   *
   * @param fitting a name in the slot of the key
   */
  public static BloomException keyInAnotherSlot(Object name, String key, Object fitting) {
    return RequestErrors.invalid(
        "Redis is a cluster, and the Redis key %s is in another slot than the keys of a filter '%s', so no script can access both. Nothing was changed. Adopt it under a name in the same slot, such as '%s'."
            .formatted(key, name, fitting));
  }

  /** Part of a filter is missing, so any answer about its elements could be wrong. */
  public static BloomException damaged(Object name, String key) {
    return BloomException.of(
        ErrorCode.FILTER_DAMAGED,
        "The Redis key %s of the filter '%s' is missing or incomplete, so its elements are no longer known. Check whether Redis evicts keys (maxmemory-policy). Rebuild the filter from your data with POST /v1/filters/%s/rebuild, or delete it and create it again."
            .formatted(key, name, name));
  }

  /** A request took effect, and the filter turned out to be damaged when it was described. */
  public static BloomException changedAndDamaged(BloomException damage) {
    return BloomException.of(
        ErrorCode.FILTER_DAMAGED, "The request took effect. " + damage.getMessage());
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

  /** The next content of an adopted bitmap cannot have other parameters. */
  public static BloomException adoptedShape(Object name, String key, boolean rejects) {
    return RequestErrors.invalid(
        "The filter '%s' keeps its bits under the Redis key %s, where other clients use them too, so its %s. Leave %s, or create a separate filter with other parameters."
            .formatted(
                name,
                key,
                rejects
                    ? "whenFull is always accept"
                    : "hashScheme, elementCodec, bitSize and numHashFunctions cannot change",
                rejects ? "it out" : "them unchanged"));
  }

  /**
   * The content of an adopted key does not fit the filter.
   *
   * @param problem completes "the Redis key ..."
   */
  public static BloomException keyMismatch(Object name, String key, String problem) {
    return new BloomException(
        ErrorCode.KEY_MISMATCH,
        "The Redis key %s %s, so it is not a bitmap of the filter '%s'. Compare the hashScheme, bitSize and numHashFunctions with the library's. If the library has recreated the key since you adopted it, delete the filter with DELETE /v1/filters/%s, which keeps the key, and adopt it again."
            .formatted(key, problem, name, name),
        "Nothing was changed.",
        null,
        null);
  }

  /** The key of an adopted filter is missing. */
  public static BloomException adoptedKeyMissing(Object name, String key) {
    return BloomException.of(
        ErrorCode.FILTER_DAMAGED,
        "The Redis key %s, which the filter '%s' shares with other clients, is missing or incomplete, so its elements are no longer known. If a client of its library deleted the key, delete the filter with DELETE /v1/filters/%s and adopt the key again. Otherwise rebuild the filter from your data with POST /v1/filters/%s/rebuild, and check whether Redis evicts keys (maxmemory-policy)."
            .formatted(key, name, name, name));
  }

  /**
   * The filters have different parameters or layers.
   *
   * @param target the filter to merge into
   * @param other the filter to merge
   * @param haveGrown whether one of them has more than one layer
   * @param differences target's values as existing, the other's as requested
   */
  public static BloomException incompatible(
      Object target, Object other, boolean haveGrown, List<Difference> differences) {
    var fields = differences.stream().map(Difference::field).collect(joining(", "));
    return new BloomException(
        ErrorCode.INCOMPATIBLE_FILTERS,
        haveGrown
            ? "The filter '%s' cannot be merged into '%s', because at least one of them has grown and their layers differ in %s. Nothing was changed. Rebuild both with the same expectedInsertions, enough for the elements of both, so that each has one layer; then merge them."
                .formatted(other, target, fields)
            : "The filter '%s' cannot be merged into '%s', because they differ in %s. Nothing was changed. Create '%s' again with the parameters of '%s', and add its elements again."
                .formatted(other, target, fields, other, target),
        new ProblemDetails.Differences(differences),
        null);
  }

  /**
   * The result of a merge would exceed a false-positive rate.
   *
   * @param limitedBy the name of the limit
   */
  public static BloomException rateExceeded(
      Object name, double rate, double fillRatio, String limitedBy, double limit) {
    return BloomException.of(
        ErrorCode.RATE_EXCEEDED,
        "The merge would give the filter '%s' an estimatedFalsePositiveProbability of %s, at a fillRatio of %s; its %s allows %s. Nothing was changed. Merge fewer filters, allow a higher rate, or merge into a larger filter."
            .formatted(name, rate, fillRatio, limitedBy, limit));
  }

  public static BloomException secretMissing(String secretId) {
    return BloomException.of(
        ErrorCode.SECRET_MISSING,
        "The filter is keyed with the hash secret %s, which this instance of the service does not have. Add that secret to bloomgate.security.hash-secret or the file in bloomgate.security.hash-secret-file of every instance and restart them. If it is lost, rebuild the filter with a hashScheme named in the request, or delete it."
            .formatted(secretId));
  }

  public static BloomException noSecret() {
    return RequestErrors.invalid(
        "A filter of the hashScheme bloomgate-1-keyed needs a hash secret, but this service has none. Set bloomgate.security.hash-secret (the environment variable BLOOMGATE_SECURITY_HASH_SECRET) to the output of 'openssl rand -base64 32', the same on every instance, or send another hashScheme.");
  }
}
