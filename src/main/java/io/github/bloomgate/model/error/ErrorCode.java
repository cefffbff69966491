package io.github.bloomgate.model.error;

/**
 * The stable error codes, each with its HTTP status and title.
 *
 * <p>Code, status and title are part of the REST contract and never change.
 */
public enum ErrorCode {
  INVALID_REQUEST(400, "The request is not valid"),
  RENAME_ACROSS_SLOTS(400, "The names are in different slots of the Redis Cluster"),
  UNAUTHENTICATED(401, "The request has no known API key"),
  FORBIDDEN(403, "The request is not allowed"),
  NOT_FOUND(404, "No such resource"),
  FILTER_NOT_FOUND(404, "There is no filter with this name"),
  REBUILD_NOT_FOUND(404, "There is no such rebuild"),
  SOURCE_NOT_FOUND(404, "The filter has no source"),
  METHOD_NOT_ALLOWED(405, "The resource does not support this method"),
  NOT_ACCEPTABLE(406, "No offered media type is acceptable"),
  FILTER_EXISTS(409, "A filter with this name exists"),
  INCOMPATIBLE_FILTERS(409, "The filters cannot be merged"),
  RATE_EXCEEDED(409, "The merge would exceed a false-positive rate"),
  FILTER_CHANGED(409, "The filter kept changing while the request ran"),
  FILTER_FULL(409, "The filter is full"),
  REBUILD_IN_PROGRESS(409, "A rebuild of the filter is open"),
  REBUILD_EMPTY(409, "Nothing was loaded into the rebuild"),
  REBUILD_TOO_SMALL(409, "Fewer elements were loaded than required"),
  WRONG_KEY_TYPE(409, "A Redis key of the filter has an unexpected type"),
  KEY_MISMATCH(409, "The Redis key does not hold a filter of this shape"),
  FILTER_DAMAGED(410, "Part of the filter is missing in Redis"),
  TOO_LARGE(413, "The request is too large"),
  URI_TOO_LONG(414, "The request line is too long"),
  UNSUPPORTED_FORMAT(415, "The media type of the request is not supported"),
  CORRUPT_IMPORT(422, "The file is not a complete, unaltered export"),
  LIMIT_EXCEEDED(422, "A limit of the service is exceeded"),
  RATE_LIMITED(429, "The client exceeds a rate limit"),
  HEADERS_TOO_LARGE(431, "The headers of the request are too large"),
  INTERNAL(500, "The service failed"),
  SOURCE_UNREADABLE(502, "The source cannot be read"),
  RUN_INTERRUPTED(503, "The run of the source was interrupted"),
  SECRET_MISSING(503, "The hash secret of the filter is not configured"),
  TOO_MANY_STREAMS(503, "Too many streams are running"),
  OVERLOADED(503, "The service has no memory left for the request"),
  SHUTTING_DOWN(503, "The service is shutting down"),
  STORE_UNAVAILABLE(503, "Redis does not answer"),
  STORE_OUTCOME_UNKNOWN(504, "Redis did not confirm the change"),
  NOT_REPLICATED(504, "Too few replicas confirmed the change"),
  STORE_FULL(507, "Redis is out of memory"),
  TEMP_FOLDER_UNUSABLE(507, "The folder for temporary files cannot be used");

  private final int status;
  private final String title;

  ErrorCode(int status, String title) {
    this.status = status;
    this.title = title;
  }

  public boolean isOf(Throwable failure) {
    return failure instanceof BloomException error && error.code() == this;
  }

  /** Whether clients repeat the same request after this failure, at once or later. */
  public boolean isRepeated() {
    return status == 429
        || status == 503
        || status == 504
        || status == 507
        || this == FILTER_CHANGED;
  }

  public int status() {
    return status;
  }

  /** The same for all errors of this code; the message of the exception has the specifics. */
  public String title() {
    return title;
  }
}
