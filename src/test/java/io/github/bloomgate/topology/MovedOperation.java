package io.github.bloomgate.topology;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Every operation of the contract that asks Redis, for a filter NAME that holds {@link #ELEMENTS},
 * another one OTHER and a name without a filter NEW.
 */
enum MovedOperation {
  OVERVIEW("overview", "GET", "/v1/overview"),
  LIST("listFilters", "GET", "/v1/filters?prefix=NAME"),
  PROBE("probeFilter", "HEAD", "/v1/filters/NAME"),
  DESCRIBE("describeFilter", "GET", "/v1/filters/NAME"),
  CREATE("createFilter", "PUT", "/v1/filters/NEW", "SHAPE"),
  CREATE_AGAIN("createFilter", "PUT", "/v1/filters/NAME", "SHAPE"),
  CREATE_LISTED("createFilter", "PUT", "/v1/filters/NEW", "SHAPE"),
  DELETE("deleteFilter", "DELETE", "/v1/filters/NAME"),
  DELETE_LISTED("deleteFilter", "DELETE", "/v1/filters/NAME"),
  ADD("addElements", "POST", "/v1/filters/NAME/add", Content.MANY),
  ADD_ONE("addElements", "POST", "/v1/filters/NAME/add", "{\"elements\": [\"b\"]}"),
  ADD_STREAM("addElements", "POST", "/v1/filters/NAME/add", Content.LINES),
  REMOVE("removeElements", "POST", "/v1/filters/NAME/remove", "{\"elements\": [\"gone\"]}"),
  REMOVE_STREAM("removeElements", "POST", "/v1/filters/NAME/remove", Content.ONE_LINE),
  COUNT("countElements", "POST", "/v1/filters/NAME/count", "{\"elements\": [\"held-0\"]}"),
  TEST("testElements", "POST", "/v1/filters/NAME/test", Content.MANY),
  TEST_STREAM("testElements", "POST", "/v1/filters/NAME/test", Content.LINES),
  TEST_FEW("testFewElements", "GET", "/v1/filters/NAME/test?element=held-0&element=held-1"),
  GATE("gate", "GET", "/v1/gate/NAME?element=held-0"),
  ADD_TO_SEVERAL(
      "addToFilters",
      "POST",
      "/v1/add",
      "{\"filters\": [\"NAME\", \"OTHER\"], \"elements\": [\"b\"]}"),
  TEST_SEVERAL(
      "testElementsInFilters",
      "POST",
      "/v1/test",
      "{\"filters\": [\"NAME\", \"OTHER\"], \"elements\": [\"held-0\"]}"),
  TEST_FEW_SEVERAL(
      "testFewElementsInFilters", "GET", "/v1/test?filter=NAME&filter=OTHER&element=held-0"),
  GATE_SEVERAL("gateOfFilters", "GET", "/v1/gate?filter=NAME&filter=OTHER&element=held-0"),
  CLEAR("clearFilter", "POST", "/v1/filters/NAME/clear"),
  SET_EXPIRY("setExpiry", "PUT", "/v1/filters/NAME/expiry", "{\"ttlSeconds\": 100000}"),
  REMOVE_EXPIRY("removeExpiry", "DELETE", "/v1/filters/NAME/expiry"),
  COPY("copyFilter", "POST", "/v1/filters/NAME/copy", "{\"to\": \"NEW\", \"replace\": true}"),
  COPY_INTO("copyFilter", "POST", "/v1/filters/NAME/copy", "{\"to\": \"NEW\", \"replace\": true}"),
  RENAME("renameFilter", "POST", "/v1/filters/NAME/rename", "{\"to\": \"NEW\"}"),
  MERGE("mergeFilters", "POST", "/v1/filters/NAME/merge", "{\"from\": [\"OTHER\"]}"),
  MERGE_FROM("mergeFilters", "POST", "/v1/filters/NAME/merge", "{\"from\": [\"OTHER\"]}"),
  REPLACE("replaceElements", "PUT", "/v1/filters/NAME/elements", Content.LINES),
  EXPORT("exportFilter", "GET", "/v1/filters/NAME/export"),
  IMPORT("importFilter", "PUT", "/v1/filters/NEW/import", Content.FILE),
  IMPORT_OVER("importFilter", "PUT", "/v1/filters/NAME/import", Content.FILE),
  OPEN_REBUILD("openRebuild", "POST", "/v1/filters/NAME/rebuild"),
  DESCRIBE_REBUILD("describeRebuild", "GET", "/v1/filters/NAME/rebuild"),
  LOAD("loadElements", "POST", "/v1/filters/NAME/rebuild/add", Content.MANY),
  COMMIT("commitRebuild", "POST", "/v1/filters/NAME/rebuild/commit"),
  ABORT_REBUILD("abortRebuild", "DELETE", "/v1/filters/NAME/rebuild"),
  SET_SOURCE("setSource", "PUT", "/v1/filters/NAME/source", "{\"file\": \"another.txt\"}"),
  DESCRIBE_SOURCE("describeSource", "GET", "/v1/filters/NAME/source"),
  RUN_SOURCE("runSource", "POST", "/v1/filters/NAME/rebuild/run?wait=true"),
  REMOVE_SOURCE("removeSource", "DELETE", "/v1/filters/NAME/source");

  /** Enough to be added as bitmaps, where that is possible. */
  static final List<String> ELEMENTS =
      IntStream.range(0, 5_000).mapToObj(i -> "held-" + i).toList();

  /** Operations of the contract that do not call Redis. */
  static final Set<String> WITHOUT_REDIS = Set.of("size");

  private static final Set<MovedOperation> REFUSED_DURING_A_REBUILD =
      Set.of(CLEAR, MERGE, MERGE_FROM, REPLACE, IMPORT_OVER, OPEN_REBUILD, RUN_SOURCE);
  private static final Set<MovedOperation> MAKE =
      Set.of(CREATE, CREATE_LISTED, COPY, COPY_INTO, RENAME, IMPORT);
  private static final Set<MovedOperation> DROP = Set.of(DELETE, DELETE_LISTED, CLEAR, RENAME);
  private static final Set<MovedOperation> END =
      Set.of(DELETE, DELETE_LISTED, RENAME, COMMIT, ABORT_REBUILD, REMOVE_SOURCE);

  enum Content {
    NONE,
    JSON,
    MANY,
    LINES,
    ONE_LINE,
    FILE
  }

  private final String id;
  private final String method;
  private final String path;
  private final Content content;
  private final String json;

  MovedOperation(String id, String method, String path) {
    this(id, method, path, Content.NONE, "");
  }

  MovedOperation(String id, String method, String path, String json) {
    this(id, method, path, Content.JSON, json);
  }

  MovedOperation(String id, String method, String path, Content content) {
    this(id, method, path, content, "");
  }

  MovedOperation(String id, String method, String path, Content content, String json) {
    this.id = id;
    this.method = method;
    this.path = path;
    this.content = content;
    this.json = json;
  }

  /** The operationId of the contract. */
  String id() {
    return id;
  }

  /** The key whose slot moves. */
  String movedKey(Filters filters) {
    return switch (this) {
      case OVERVIEW, LIST, CREATE_LISTED, DELETE_LISTED -> "bloom:{=names}";
      case CREATE, COPY_INTO, IMPORT -> stateKey(filters.fresh());
      case MERGE_FROM -> stateKey(filters.other());
      default -> stateKey(filters.name());
    };
  }

  static String stateKey(String name) {
    return "bloom:{" + name + "}";
  }

  /** Whether it needs the filter OTHER. */
  boolean hasOther() {
    return (path + json).contains("OTHER");
  }

  /** Whether the filter counts its elements, among them one that goes. */
  boolean counts() {
    return this == REMOVE || this == REMOVE_STREAM || this == COUNT;
  }

  /** Whether the filter has an open rebuild, in addition to all other possible keys. */
  boolean hasRebuild() {
    return !REFUSED_DURING_A_REBUILD.contains(this);
  }

  /** Whether there is a filter NEW once it is done. */
  boolean makes() {
    return MAKE.contains(this);
  }

  /** Whether the filter NEW has what NAME has. */
  boolean fills() {
    return makes() && this != CREATE && this != CREATE_LISTED;
  }

  /** Whether NAME holds its elements no more once it is done. */
  boolean drops() {
    return DROP.contains(this);
  }

  /** Whether there is nothing left for it to do once it was done. */
  boolean ends() {
    return END.contains(this);
  }

  /** Whether a successful response is correct. */
  boolean isTrue(PlainHttp.Answer answer) {
    var text = new String(answer.body(), StandardCharsets.UTF_8).replace(" ", "");
    return switch (this) {
      case OVERVIEW -> !text.contains("\"filters\":0,");
      case LIST -> text.contains("\"name\":");
      case TEST, TEST_STREAM -> text.contains("\"mightContainCount\":" + ELEMENTS.size());
      case COUNT -> text.contains("\"counts\":[1]");
      case TEST_FEW -> text.contains("\"mightContain\":[true,true]");
      case GATE -> answer.status() == 204;
      default -> true;
    };
  }

  /**
   * The filters of one trial.
   *
   * @param fresh the name without a filter
   * @param file an export of NAME
   */
  record Filters(String name, String other, String fresh, String shape, byte[] file) {

    private String filled(String text) {
      return text.replace("NAME", name)
          .replace("OTHER", other)
          .replace("NEW", fresh)
          .replace("SHAPE", shape);
    }
  }

  PlainHttp.Answer send(PlainHttp http, Filters filters) {
    return switch (content) {
      case NONE -> http.send(method, filters.filled(path), "application/json", null);
      case JSON ->
          http.send(method, filters.filled(path), "application/json", bytes(filters.filled(json)));
      case MANY -> http.send(method, filters.filled(path), "application/json", elements("held-"));
      case LINES ->
          http.send(
              method,
              filters.filled(path),
              "text/plain",
              bytes(ELEMENTS.stream().collect(Collectors.joining("\n", "", "\n"))));
      case ONE_LINE -> http.send(method, filters.filled(path), "text/plain", bytes("gone\n"));
      case FILE ->
          http.send(method, filters.filled(path), "application/octet-stream", filters.file());
    };
  }

  /** The same number of elements as {@link #ELEMENTS}, which have the prefix {@code held-}. */
  static byte[] elements(String prefix) {
    return bytes(
        IntStream.range(0, ELEMENTS.size())
            .mapToObj(i -> "\"" + prefix + i + "\"")
            .collect(Collectors.joining(",", "{\"elements\":[", "]}")));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
