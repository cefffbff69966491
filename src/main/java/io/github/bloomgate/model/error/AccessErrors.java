package io.github.bloomgate.model.error;

/** What a client may not do, or not so much of. */
public final class AccessErrors {

  /** What came of a request for a filter, or a larger one. */
  public static final String NOTHING_MADE =
      "Nothing was changed. Create a smaller filter, delete others, or ask the operator for more.";

  /** What came of an add to a filter that would have grown. */
  public static final String NO_LAYER =
      "Elements of the request that had room are in the filter, and it is full. Delete others, or ask the operator for more.";

  private AccessErrors() {}

  /** The request has no key, and the service asks for one. */
  public static BloomException missingKey() {
    return BloomException.of(
        ErrorCode.UNAUTHENTICATED,
        "The request has no API key. Send it as Authorization: Bearer <key>, or as the password of"
            + " Basic.");
  }

  /** What the request has is none of the keys; which part is wrong is not told. */
  public static BloomException unknownKey() {
    return BloomException.of(
        ErrorCode.UNAUTHENTICATED,
        "The Authorization header holds no known API key. Send one as Bearer <key>, or as the"
            + " password of Basic; ask the operator if it was replaced.");
  }

  /**
   * The key may not do this.
   *
   * @param key its id
   */
  public static BloomException roleNeeded(Object key, String role, String needed) {
    return BloomException.of(
        ErrorCode.FORBIDDEN,
        "This call needs the role %s; the key '%s' has the role %s. Use another key."
            .formatted(needed, key, role));
  }

  /**
   * The key may not use a name of the request, whether there is such a filter or not.
   *
   * @param key its id
   * @param prefixes what the names it may use begin with
   */
  public static BloomException nameForbidden(Object key, Object prefixes) {
    return BloomException.of(
        ErrorCode.FORBIDDEN,
        "The key '%s' is limited to names that begin with %s, and this call is about others. Use another key."
            .formatted(key, prefixes));
  }

  /**
   * The key may use a bitmap in Redis, but not what its library keeps beside it.
   *
   * @param key its id
   * @param prefixes what the names it may use begin with
   */
  public static BloomException companionForbidden(Object key, Object prefixes, String companion) {
    return BloomException.of(
        ErrorCode.FORBIDDEN,
        "The key '%s' is limited to names that begin with %s, and the library keeps '%s' beside the bitmap. Use another key, or ask the operator for a prefix with which that begins."
            .formatted(key, prefixes, companion));
  }

  /** There are no keys, and the client is not on this machine, or a proxy hides where it is. */
  public static BloomException notLocal(String remedy) {
    return BloomException.of(
        ErrorCode.FORBIDDEN,
        "No API key is configured, so only clients on the machine of the service are answered, by"
            + " a loopback address or localhost and not through a proxy. "
            + remedy
            + ".");
  }

  /** A page of another site made a browser send the request. */
  public static BloomException otherOrigin() {
    return BloomException.of(
        ErrorCode.FORBIDDEN,
        "The request comes from a page of another site. Send it from the service's own pages, or"
            + " with a Bearer key from a program; a proxy that asks the gate must not pass on the"
            + " Origin and Sec-Fetch headers of its clients.");
  }

  /**
   * The client, or all clients of a filter, ask for more a second than the operator allows.
   *
   * @param policy the limit that is exceeded
   * @param retryAfterSeconds when the same request is let pass, if nobody else asks meanwhile
   */
  public static BloomException rateLimited(String policy, int perSecond, long retryAfterSeconds) {
    return new BloomException(
        ErrorCode.RATE_LIMITED,
        "This instance allows %d %s a second. Nothing was done. Repeat the request in %d s."
            .formatted(perSecond, policy, retryAfterSeconds),
        new ProblemDetails.RetryAfter(retryAfterSeconds),
        null);
  }

  /** The Redis key that would be adopted does not exist, and a quota of bytes applies. */
  public static BloomException nothingToAdopt(String redisKey) {
    return RequestErrors.limitExceeded(
        "There is no Redis key '%s'. Where a quota of bytes applies, only an existing key can be adopted: a new bitmap would stay in Redis, uncounted, after the filter is deleted. Nothing was changed. Let the library create the key first, or leave redisKey out."
            .formatted(redisKey));
  }

  /** There are as many filters as the operator allows. */
  public static BloomException tooManyFilters(long filters, long limit) {
    return RequestErrors.limitExceeded(
        "There are %d filters, and bloomgate.limits.max-filters is %d. Nothing was changed. Delete filters, or ask the operator for more."
            .formatted(filters, limit));
  }

  /**
   * The filters would take more bytes than the operator allows.
   *
   * @param more bytes that were asked for
   * @param taken bytes of all filters
   * @param outcome {@link #NOTHING_MADE} or {@link #NO_LAYER}
   */
  public static BloomException tooManyBytes(
      Object name, long more, long taken, long limit, String outcome) {
    return RequestErrors.limitExceeded(
        "The filter '%s' would take %d bytes more; all filters take %d bytes, and bloomgate.limits.max-total-bytes is %d. %s"
            .formatted(name, more, taken, limit, outcome));
  }

  /**
   * A key has created as many filters as its quota allows.
   *
   * @param key its id
   */
  public static BloomException tooManyFiltersOfKey(Object key, long filters, long limit) {
    return RequestErrors.limitExceeded(
        "The key '%s' has created %d filters, and maxFilters of its quota is %d. Nothing was changed. Delete filters, or ask the operator for more."
            .formatted(key, filters, limit));
  }

  /**
   * The filters that a key has created would take more bytes than its quota allows.
   *
   * @param key its id
   * @param more bytes that were asked for
   * @param taken bytes of these filters
   * @param outcome {@link #NOTHING_MADE} or {@link #NO_LAYER}
   */
  public static BloomException tooManyBytesOfKey(
      Object key, Object name, long more, long taken, long limit, String outcome) {
    return RequestErrors.limitExceeded(
        "The filter '%s' would take %d bytes more; all filters that the key '%s' has created take %d bytes, and maxBytes of its quota is %d. %s"
            .formatted(name, more, key, taken, limit, outcome));
  }
}
