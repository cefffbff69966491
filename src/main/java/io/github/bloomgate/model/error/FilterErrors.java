package io.github.bloomgate.model.error;

import static java.util.stream.Collectors.joining;

import java.util.List;

/** What is wrong with a filter, or with what it was asked for. */
public final class FilterErrors {

  private FilterErrors() {}

  /** There is no filter of this name. */
  public static BloomException notFound(Object name) {
    return BloomException.of(
        ErrorCode.FILTER_NOT_FOUND,
        "There is no filter '%s': it was never created, was deleted or has expired. Create it with PUT /v1/filters/%s."
            .formatted(name, name));
  }

  /** The name is taken by a filter with other parameters. */
  public static BloomException exists(Object name, List<Difference> differences) {
    return new BloomException(
        ErrorCode.FILTER_EXISTS,
        "A filter '%s' exists with another %s. Use it as it is, choose another name, or delete it first."
            .formatted(name, differences.stream().map(Difference::field).collect(joining(", "))),
        new ProblemDetails.Differences(differences),
        null);
  }

  /** The name that a filter shall get is taken. */
  public static BloomException nameTaken(Object name) {
    return BloomException.of(
        ErrorCode.FILTER_EXISTS,
        "A filter '%s' exists. Choose another name, or send \"replace\": true to replace it."
            .formatted(name));
  }

  /** The filter was replaced again and again while the request tried to follow. */
  public static BloomException changed(Object name) {
    return BloomException.of(
        ErrorCode.FILTER_CHANGED,
        "The filter '%s' was changed by others each time this request was tried. Repeat it."
            .formatted(name));
  }

  /** A request took effect, and others deleted or renamed the filter before it was described. */
  public static BloomException changedSince(Object name) {
    return BloomException.of(
        ErrorCode.FILTER_CHANGED,
        "The request took effect, but the filter '%s' was deleted or renamed by others before it could be described. Look what is there before you repeat the request."
            .formatted(name));
  }

  /**
   * A new element would exceed what the filter was created for.
   *
   * @param inOrder whether the elements applied are the first ones
   */
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

  /** A filter that grows has reached its bound. */
  public static BloomException fullyGrown(
      Object name,
      int layers,
      long bytes,
      long maxSizeBytes,
      long appliedCount,
      long elementCount) {
    return new BloomException(
        ErrorCode.FILTER_FULL,
        "The filter '%s' is full with %d layers of %d bytes, and a further one would exceed its maxSizeBytes of %d or the most layers. Rebuild it with a larger maxSizeBytes or more expectedInsertions."
            .formatted(name, layers, bytes, maxSizeBytes),
        "%d of the %d elements of this request were applied.".formatted(appliedCount, elementCount),
        new ProblemDetails.Applied(appliedCount, false),
        null);
  }

  /** The filter has bits, and the request is for one with counters. */
  public static BloomException notCounting(Object name) {
    return BloomException.of(
        ErrorCode.INVALID_REQUEST,
        "The filter '%s' does not count its elements, so none can be removed or counted. Nothing was changed. Create a filter with \"counting\": true and add the elements to that."
            .formatted(name));
  }

  /** A rename where one script does not reach both names. */
  public static BloomException renameAcrossSlots(Object name, Object to) {
    return BloomException.of(
        ErrorCode.RENAME_ACROSS_SLOTS,
        "Redis is a cluster, and the names '%s' and '%s' are in different slots, so the filter cannot be renamed in one step. Nothing was changed. Copy it with POST /v1/filters/%s/copy and {\"to\": \"%s\"}, then delete '%s'."
            .formatted(name, to, name, to, name));
  }

  /**
   * A key cannot be adopted under this name, as it is in another slot.
   *
   * @param fitting a name under which it can
   */
  public static BloomException keyInAnotherSlot(Object name, String key, Object fitting) {
    return RequestErrors.invalid(
        "Redis is a cluster, and the Redis key %s is in another slot than the keys of a filter '%s', so that no script could reach both. Nothing was changed. Adopt it under a name of the same slot, such as '%s'."
            .formatted(key, name, fitting));
  }

  /** Part of a filter is missing, so that no answer about its elements would be right. */
  public static BloomException damaged(Object name, String key) {
    return BloomException.of(
        ErrorCode.FILTER_DAMAGED,
        "The Redis key %s of the filter '%s' is missing or incomplete, so its elements are not known any more. Check whether Redis evicts keys (maxmemory-policy). Rebuild the filter from its source with POST /v1/filters/%s/rebuild, or delete it and create it again."
            .formatted(key, name, name));
  }

  /** The filter was stored by a version of the service that this one does not know. */
  public static BloomException unknownFormat(Object name, String format) {
    return BloomException.of(
        ErrorCode.FILTER_DAMAGED,
        "The filter '%s' is stored in format %s, which this version of the service does not read. Use the version that created it, or a later one."
            .formatted(name, format));
  }

  /** A Redis key of the filter holds something that is not ours. */
  public static BloomException wrongKeyType(Object name, String key) {
    return new BloomException(
        ErrorCode.WRONG_KEY_TYPE,
        "The Redis key %s of the filter '%s' holds another type: something else wrote it. Remove or rename that key in Redis."
            .formatted(key, name),
        "Nothing was changed.",
        null,
        null);
  }

  /** The next content of an adopted bitmap cannot be of other parameters. */
  public static BloomException adoptedShape(Object name, String key, boolean rejects) {
    return BloomException.of(
        ErrorCode.INVALID_REQUEST,
        "The filter '%s' keeps its bits under the Redis key %s, where other clients use them as they are, so its %s. Leave %s, or make a filter of your own with other parameters."
            .formatted(
                name,
                key,
                rejects
                    ? "whenFull is always accept"
                    : "hashScheme, elementCodec, bitSize and numHashFunctions cannot change",
                rejects ? "it out" : "them as they are"));
  }

  /**
   * What an adopted key holds is not what the filter takes it for.
   *
   * @param problem completes "the Redis key ..."
   */
  public static BloomException keyMismatch(Object name, String key, String problem) {
    return new BloomException(
        ErrorCode.KEY_MISMATCH,
        "The Redis key %s %s, so it is not a bitmap of the filter '%s'. Compare the hashScheme, bitSize and numHashFunctions with what the library uses; if the library made it again, let go of it with DELETE /v1/filters/%s and adopt it again."
            .formatted(key, problem, name, name),
        "Nothing was changed.",
        null,
        null);
  }

  /** What a library kept for a filter that has adopted it is gone. */
  public static BloomException adoptedKeyMissing(Object name, String key) {
    return BloomException.of(
        ErrorCode.FILTER_DAMAGED,
        "The Redis key %s, which the filter '%s' shares with other clients, is missing or incomplete, so its elements are not known any more. If a client of its library deleted it, let go of it with DELETE /v1/filters/%s and adopt it again; else rebuild the filter from its source with POST /v1/filters/%s/rebuild, and check whether Redis evicts keys (maxmemory-policy)."
            .formatted(key, name, name, name));
  }

  /**
   * The bits of an element are not the same in two filters.
   *
   * @param target the filter that was to hold the union
   * @param other the filter that was to be merged into it
   * @param differences target's values as existing, the other's as requested
   */
  public static BloomException incompatible(
      Object target, Object other, List<Difference> differences) {
    return new BloomException(
        ErrorCode.INCOMPATIBLE_FILTERS,
        "The filter '%s' cannot be merged into '%s', as it has another %s. Nothing was changed. Create it again with the parameters of '%s' and add its elements again."
            .formatted(
                other,
                target,
                differences.stream().map(Difference::field).collect(joining(", ")),
                target),
        new ProblemDetails.Differences(differences),
        null);
  }

  /**
   * One of two filters has grown, and they do not have the same layers.
   *
   * @param differences as for {@link #incompatible}
   */
  public static BloomException otherLayers(
      Object target, Object other, List<Difference> differences) {
    return new BloomException(
        ErrorCode.INCOMPATIBLE_FILTERS,
        "The filter '%s' cannot be merged into '%s', as at least one of them has grown, and they do not have the same layers: they differ in %s. Nothing was changed. Rebuild both with the same expectedInsertions, enough for the elements of both, which makes each one layer; then merge them."
            .formatted(
                other, target, differences.stream().map(Difference::field).collect(joining(", "))),
        new ProblemDetails.Differences(differences),
        null);
  }

  /**
   * A union would be answered maybe more often than is allowed.
   *
   * @param limitedBy what sets the limit
   */
  public static BloomException rateExceeded(
      Object name, double rate, double fillRatio, String limitedBy, double limit) {
    return BloomException.of(
        ErrorCode.RATE_EXCEEDED,
        "The union would give the filter '%s' an estimatedFalsePositiveProbability of %s, at a fillRatio of %s; its %s allows %s. Nothing was changed. Merge fewer filters, allow a higher rate, or merge into a larger filter."
            .formatted(name, rate, fillRatio, limitedBy, limit));
  }

  /**
   * The bits of elements of a keyed filter cannot be told, so that there is no right answer.
   *
   * @param secretId of the secret its key comes from
   */
  public static BloomException secretMissing(String secretId) {
    return BloomException.of(
        ErrorCode.SECRET_MISSING,
        "The filter is keyed with the hash secret %s, which this instance of the service does not have. Add that secret to bloomgate.security.hash-secret or the file in bloomgate.security.hash-secret-file of every instance and start them again. If it is lost, rebuild the filter with a hashScheme named in the request, or delete it."
            .formatted(secretId));
  }

  /** A keyed filter cannot be made without a secret. */
  public static BloomException noSecret() {
    return BloomException.of(
        ErrorCode.INVALID_REQUEST,
        "A filter of the hashScheme bloomgate-1-keyed needs a hash secret, and this service has none. Set bloomgate.security.hash-secret (the environment variable BLOOMGATE_SECURITY_HASH_SECRET) to what 'openssl rand -base64 32' prints, the same on every instance, or send another hashScheme.");
  }
}
