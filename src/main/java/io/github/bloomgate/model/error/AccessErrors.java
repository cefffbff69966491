package io.github.bloomgate.model.error;

/** Errors of permissions, rate limits and quotas. */
public final class AccessErrors {

  /** The outcome of creating or enlarging a filter. */
  public static final String NOTHING_MADE =
      "Nothing was changed. Create a smaller filter, delete others, or ask the operator for a higher limit.";

  /** The outcome of an add to a filter that would have grown. */
  public static final String NO_LAYER =
      "The elements that still fit were added, and the filter is full. Delete other filters, or ask the operator for a higher limit.";

  private AccessErrors() {}

  public static BloomException missingKey() {
    return BloomException.of(
        ErrorCode.UNAUTHENTICATED,
        "The request has no API key. Send it as Authorization: Bearer <key>, or as the password of Basic authentication.");
  }

  /** Does not reveal which part of the key is wrong. */
  public static BloomException unknownKey() {
    return BloomException.of(
        ErrorCode.UNAUTHENTICATED,
        "The Authorization header has no known API key. Send one as Bearer <key>, or as the password of Basic authentication, or ask the operator whether yours was replaced.");
  }

  public static BloomException roleNeeded(Object key, String role, String needed) {
    return BloomException.of(
        ErrorCode.FORBIDDEN,
        "This call needs the role %s; the key '%s' has the role %s. Use another key."
            .formatted(needed, key, role));
  }

  /**
   * The key may not use a name of the request, even if there is no such filter.
   *
   * @param key its id
   * @param prefixes the allowed prefixes of names
   */
  public static BloomException nameForbidden(Object key, Object prefixes) {
    return BloomException.of(
        ErrorCode.FORBIDDEN,
        "The key '%s' is limited to names that begin with %s, but this request concerns others. Use another key."
            .formatted(key, prefixes));
  }

  /**
   * The key may use a bitmap in Redis, but not its library's companion key.
   *
   * @param key its id
   * @param prefixes the allowed prefixes of names
   */
  public static BloomException companionForbidden(Object key, Object prefixes, String companion) {
    return BloomException.of(
        ErrorCode.FORBIDDEN,
        "The key '%s' is limited to names that begin with %s, but the library also keeps '%s'. Use another key, or ask the operator for a prefix that covers it."
            .formatted(key, prefixes, companion));
  }

  /** No keys are configured, and the client is not local or its address is hidden by a proxy. */
  public static BloomException notLocal(String remedy) {
    return BloomException.of(
        ErrorCode.FORBIDDEN,
        "No API key is configured, so only clients on the same machine are allowed, through"
            + " a loopback address or localhost and not through a proxy. "
            + remedy
            + ".");
  }

  /** A page of another site made a browser send the request. */
  public static BloomException otherOrigin() {
    return BloomException.of(
        ErrorCode.FORBIDDEN,
        "The request comes from a page on another site. Send it from the service's own pages, or with a Bearer key from a program. A proxy that calls the gate must not forward its clients' Origin and Sec-Fetch headers.");
  }

  /**
   * The requests/s of a client, or the elements/s of a filter, exceed the limit.
   *
   * @param policy the limit that is exceeded
   * @param retryAfterSeconds when the request would pass without other traffic
   */
  public static BloomException rateLimited(String policy, int perSecond, long retryAfterSeconds) {
    return new BloomException(
        ErrorCode.RATE_LIMITED,
        "The limit %s of this instance is %d per second. Nothing was done. Repeat the request in %d s."
            .formatted(policy, perSecond, retryAfterSeconds),
        new ProblemDetails.RetryAfter(retryAfterSeconds),
        null);
  }

  /** The Redis key that would be adopted does not exist, and a quota of bytes applies. */
  public static BloomException nothingToAdopt(String redisKey) {
    return RequestErrors.limitExceeded(
        "There is no Redis key '%s'. With a quota of bytes, only an existing key can be adopted, because a new bitmap would stay in Redis, uncounted, after the filter is deleted. Nothing was changed. Let the library create the key first, or leave redisKey out."
            .formatted(redisKey));
  }

  public static BloomException tooManyFilters(long filters, long limit) {
    return RequestErrors.limitExceeded(
        "There are %d filters, and bloomgate.limits.max-filters is %d. Nothing was changed. Delete filters, or ask the operator for a higher limit."
            .formatted(filters, limit));
  }

  /**
   * Over the limit of bytes of all filters.
   *
   * @param more requested bytes
   * @param taken bytes of all filters
   * @param outcome {@link #NOTHING_MADE} or {@link #NO_LAYER}
   */
  public static BloomException tooManyBytes(
      Object name, long more, long taken, long limit, String outcome) {
    return RequestErrors.limitExceeded(
        "The filter '%s' would take %d more bytes; all filters take %d bytes, and bloomgate.limits.max-total-bytes is %d. %s"
            .formatted(name, more, taken, limit, outcome));
  }

  public static BloomException tooManyFiltersOfKey(Object key, long filters, long limit) {
    return RequestErrors.limitExceeded(
        "The key '%s' has created %d filters, and its maxFilters quota is %d. Nothing was changed. Delete filters, or ask the operator for a higher limit."
            .formatted(key, filters, limit));
  }

  /**
   * Over the quota of bytes of a key.
   *
   * @param key its id
   * @param more requested bytes
   * @param taken bytes of the filters that the key created
   * @param outcome {@link #NOTHING_MADE} or {@link #NO_LAYER}
   */
  public static BloomException tooManyBytesOfKey(
      Object key, Object name, long more, long taken, long limit, String outcome) {
    return RequestErrors.limitExceeded(
        "The filter '%s' would take %d more bytes; all filters that the key '%s' has created take %d bytes, and its maxBytes quota is %d. %s"
            .formatted(name, more, key, taken, limit, outcome));
  }
}
