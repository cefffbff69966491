package io.github.bloomgate.http;

/** The names that the operations of the contract share; {@code package-info} defines them. */
final class ApiDefinition {

  static final String FILTERS = "Filters";
  static final String ELEMENTS = "Elements";
  static final String REBUILDS = "Rebuilds";
  static final String SIZING = "Sizing";

  static final String NAME = "name";
  static final String WAIT = "wait";
  static final String REBUILD_ID = "id";
  static final String RETURN = "return";
  static final String ELEMENTS_OR_LINES = "ElementsOrLines";
  static final String ENCODING = "encoding";

  static final String BEARER = "bearer";
  static final String BASIC = "basic";

  static final String HASH_SCHEME = "HashScheme";
  static final String ELEMENT_CODEC =
      "With the scheme `redisson`: how a string becomes bytes. `string` is Redisson's StringCodec"
          + " (UTF-8), and the default here; `kryo5` is the codec that Redisson itself has by"
          + " default.";

  static final String STREAMS =
      "Elements in one JSON document, or a stream of any length: one element a line, as the line"
          + " itself (`text/plain`) or as a JSON string (`application/x-ndjson`). A stream is acted"
          + " on while it arrives. An error tells the `line` and how many elements were applied; if"
          + " the answer has begun, the connection is broken off instead.";

  static final String LINES_EXAMPLE = "alice@example.com\nbob@example.com\n";

  /** Of JSON strings; Swagger UI puts it in quotes. */
  static final String LINE_EXAMPLE = "alice@example.com";

  static final String NAME_DESCRIPTION = "The name of the filter";

  /** The examples are such that every operation works in the order of Swagger UI. */
  static final String FILTER_EXAMPLE = "users";

  static final String COPY_EXAMPLE = "users.backup";
  static final String RENAMED_EXAMPLE = "customers";

  static final String ADDED = "Added";
  static final String INVALID_REQUEST = "InvalidRequest";
  static final String UNAUTHENTICATED = "Unauthenticated";
  static final String FORBIDDEN = "Forbidden";
  static final String NOT_FOUND = "FilterNotFound";
  static final String REBUILD_NOT_FOUND = "RebuildNotFound";
  static final String SOURCE_NOT_FOUND = "SourceNotFound";
  static final String CONFLICT = "Conflict";
  static final String DAMAGED = "FilterDamaged";
  static final String TOO_LARGE = "TooLarge";
  static final String UNSUPPORTED_FORMAT = "UnsupportedFormat";
  static final String LIMIT_EXCEEDED = "LimitExceeded";
  static final String CORRUPT_IMPORT = "CorruptImport";
  static final String RATE_LIMITED = "RateLimited";
  static final String INTERNAL = "Internal";
  static final String SOURCE_UNREADABLE = "SourceUnreadable";
  static final String UNAVAILABLE = "Unavailable";
  static final String OUTCOME_UNKNOWN = "OutcomeUnknown";
  static final String STORE_FULL = "StoreFull";

  private ApiDefinition() {}
}
