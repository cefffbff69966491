package io.github.bloomgate.http.openapi;

/** The names that the operations of the contract share; {@code package-info} defines them. */
public final class ApiDefinition {

  public static final String FILTERS = "Filters";
  public static final String ELEMENTS = "Elements";
  public static final String REBUILDS = "Rebuilds";
  public static final String SIZING = "Sizing";

  public static final String NAME = "name";
  public static final String WAIT = "wait";
  public static final String REBUILD_ID = "id";
  public static final String RETURN = "return";
  public static final String ELEMENTS_OR_LINES = "ElementsOrLines";
  public static final String ENCODING = "encoding";

  public static final String BEARER = "bearer";
  public static final String BASIC = "basic";

  public static final String HASH_SCHEME = "HashScheme";
  public static final String ELEMENT_CODEC =
      "With the scheme `redisson`: how a string becomes bytes. `string` is Redisson's StringCodec"
          + " (UTF-8), and the default here; `kryo5` is the codec that Redisson itself has by"
          + " default.";

  public static final String STREAMS =
      "Elements in one JSON document, or a stream of any length: one element a line, as the line"
          + " itself (`text/plain`) or as a JSON string (`application/x-ndjson`). A stream is acted"
          + " on while it arrives. An error tells the `line` and how many elements were applied; if"
          + " the answer has begun, the connection is broken off instead.";

  /** Generated clients would take the second type for JSON, and send their text as one element. */
  public static final String LINES =
      "A stream of any length, one element a line. With the `Content-Type` `application/x-ndjson`"
          + " each line is a JSON string.";

  public static final String LINES_EXAMPLE = "alice@example.com\nbob@example.com\n";

  /** Of JSON strings; Swagger UI puts it in quotes. */
  public static final String LINE_EXAMPLE = "alice@example.com";

  public static final String NAME_DESCRIPTION = "The name of the filter";

  /** The examples are such that every operation works in the order of Swagger UI. */
  public static final String FILTER_EXAMPLE = "users";

  /** Of a filter that counts: the page cannot make both with one example. */
  public static final String COUNTING_EXAMPLE = "sessions";

  public static final String COPY_EXAMPLE = "users.backup";
  public static final String RENAMED_EXAMPLE = "customers";

  public static final String NOT_MODIFIED =
      "The answer is the one whose `ETag` the request names in `If-None-Match`";

  public static final String ADDED = "Added";
  public static final String LIMIT_EXCEEDED = "LimitExceeded";
  public static final String CORRUPT_IMPORT = "CorruptImport";
  public static final String SOURCE_UNREADABLE = "SourceUnreadable";
  public static final String STORE_FULL = "StoreFull";

  private ApiDefinition() {}
}
