package io.github.bloomgate.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Every operation of the contract, as one request that succeeds on a filter that was prepared for
 * it. {@link OperationTest} compares them with {@code openapi.yaml}.
 *
 * <p>In paths and bodies NAME is a filter that holds {@link #KNOWN}; OTHER another one of the same
 * shape; NEW a name without a filter; SHAPE the parameters of NAME, if it does not count.
 */
enum Operation {
  LIST("listFilters", "GET", "/v1/filters?prefix=NAME"),
  PROBE("probeFilter", "HEAD", "/v1/filters/NAME"),
  DESCRIBE("describeFilter", "GET", "/v1/filters/NAME"),
  CREATE("createFilter", "PUT", "/v1/filters/NEW", "SHAPE"),
  ADOPT(
      "createFilter",
      "PUT",
      "/v1/filters/NEW",
      "{\"hashScheme\": \"go-zero\", \"bitSize\": 4096, \"redisKey\": \"adopted-NAME\"}"),
  CREATE_AGAIN("createFilter", "PUT", "/v1/filters/NAME", "SHAPE"),
  DELETE("deleteFilter", "DELETE", "/v1/filters/NAME"),
  ADD("addElements", "POST", "/v1/filters/NAME/add", "{\"elements\": [\"one\", \"two\"]}"),
  ADD_STREAM("addElements", "POST", "/v1/filters/NAME/add", Body.LINES),
  REMOVE("removeElements", "POST", "/v1/filters/NAME/remove", "{\"elements\": [\"gone\"]}"),
  COUNT("countElements", "POST", "/v1/filters/NAME/count", "{\"elements\": [\"known-1\"]}"),
  TEST("testElements", "POST", "/v1/filters/NAME/test", "{\"elements\": [\"known-1\"]}"),
  TEST_BATCH(
      "testElements",
      "POST",
      "/v1/filters/NAME/test",
      "{\"elements\": [\"known-1\", \"known-2\", \"known-3\"]}"),
  TEST_STREAM("testElements", "POST", "/v1/filters/NAME/test", Body.LINES),
  TEST_FEW("testFewElements", "GET", "/v1/filters/NAME/test?element=known-1"),
  GATE("gate", "GET", "/v1/gate/NAME?element=known-1"),
  ADD_TO_SEVERAL(
      "addToFilters",
      "POST",
      "/v1/add",
      "{\"filters\": [\"NAME\"], \"elements\": [\"one\", \"two\"]}"),
  TEST_SEVERAL(
      "testElementsInFilters",
      "POST",
      "/v1/test",
      "{\"filters\": [\"NAME\"], \"elements\": [\"known-1\"]}"),
  TEST_SEVERAL_STREAM("testElementsInFilters", "POST", "/v1/test?filter=NAME", Body.LINES),
  TEST_FEW_SEVERAL("testFewElementsInFilters", "GET", "/v1/test?filter=NAME&element=known-1"),
  GATE_SEVERAL("gateOfFilters", "GET", "/v1/gate?filter=NAME&element=known-1"),
  CLEAR("clearFilter", "POST", "/v1/filters/NAME/clear"),
  SET_EXPIRY("setExpiry", "PUT", "/v1/filters/NAME/expiry", "{\"ttlSeconds\": 86400}"),
  REMOVE_EXPIRY("removeExpiry", "DELETE", "/v1/filters/NAME/expiry"),
  COPY("copyFilter", "POST", "/v1/filters/NAME/copy", "{\"to\": \"NEW\"}"),
  RENAME("renameFilter", "POST", "/v1/filters/NAME/rename", "{\"to\": \"NEW\"}"),
  MERGE("mergeFilters", "POST", "/v1/filters/NAME/merge", "{\"from\": [\"OTHER\"]}"),
  REPLACE("replaceElements", "PUT", "/v1/filters/NAME/elements", Body.LINES),
  EXPORT("exportFilter", "GET", "/v1/filters/NAME/export"),
  IMPORT("importFilter", "PUT", "/v1/filters/NEW/import", Body.FILE),
  OPEN_REBUILD("openRebuild", "POST", "/v1/filters/NAME/rebuild", "{}"),
  DESCRIBE_REBUILD("describeRebuild", "GET", "/v1/filters/NAME/rebuild"),
  LOAD("loadElements", "POST", "/v1/filters/NAME/rebuild/add", "{\"elements\": [\"one\"]}"),
  COMMIT("commitRebuild", "POST", "/v1/filters/NAME/rebuild/commit", "{}"),
  ABORT_REBUILD("abortRebuild", "DELETE", "/v1/filters/NAME/rebuild"),
  SET_SOURCE("setSource", "PUT", "/v1/filters/NAME/source", "{\"redisKey\": \"source-members\"}"),
  DESCRIBE_SOURCE("describeSource", "GET", "/v1/filters/NAME/source"),
  RUN_SOURCE("runSource", "POST", "/v1/filters/NAME/rebuild/run"),
  REMOVE_SOURCE("removeSource", "DELETE", "/v1/filters/NAME/source"),
  OVERVIEW("overview", "GET", "/v1/overview"),
  SIZE("size", "GET", "/v1/sizing?expectedInsertions=1000&falsePositiveProbability=0.01");

  /** The initial elements of the filters. */
  static final List<String> KNOWN = List.of("known-1", "known-2", "known-3");

  private static final List<Operation> ON_REBUILDS =
      List.of(DESCRIBE_REBUILD, LOAD, COMMIT, ABORT_REBUILD);
  private static final List<Operation> ON_SOURCES =
      List.of(DESCRIBE_SOURCE, RUN_SOURCE, REMOVE_SOURCE);
  private static final List<Operation> ON_COUNTERS = List.of(REMOVE, COUNT);
  private static final List<Operation> READS =
      List.of(
          COUNT,
          OVERVIEW,
          LIST,
          PROBE,
          DESCRIBE,
          TEST,
          TEST_BATCH,
          TEST_STREAM,
          TEST_FEW,
          GATE,
          TEST_SEVERAL,
          TEST_SEVERAL_STREAM,
          TEST_FEW_SEVERAL,
          GATE_SEVERAL,
          EXPORT,
          DESCRIBE_REBUILD,
          DESCRIBE_SOURCE);

  /** Identifies the right answer: the filter exists and has all known elements. */
  private static final Map<Operation, String> TRUTHS =
      Map.of(
          LIST, "\"filters\":[{",
          DESCRIBE, "\"insertions\":3,",
          DESCRIBE_REBUILD, "\"insertions\":3,",
          EXPORT, "afileof3insertions",
          COUNT, "\"counts\":[1]",
          TEST, "\"mightContain\":[true]",
          TEST_BATCH, "\"mightContain\":[true,true,true]",
          TEST_STREAM, "\"mightContainCount\":3",
          TEST_FEW, "\"mightContain\":[true]",
          TEST_SEVERAL, "\"any\":[true]");

  private enum Body {
    NONE,
    JSON,
    LINES,
    FILE
  }

  private final String id;
  private final String method;
  private final String path;
  private final Body kind;
  private final String body;

  Operation(String id, String method, String path) {
    this(id, method, path, Body.NONE, "");
  }

  Operation(String id, String method, String path, String json) {
    this(id, method, path, Body.JSON, json);
  }

  Operation(String id, String method, String path, Body kind) {
    this(id, method, path, kind, "");
  }

  Operation(String id, String method, String path, Body kind, String body) {
    this.id = id;
    this.method = method;
    this.path = path;
    this.kind = kind;
    this.body = body;
  }

  /** The operationId of the contract. */
  String id() {
    return id;
  }

  /** Whether it takes a body. */
  boolean hasBody() {
    return kind != Body.NONE;
  }

  /** An upload that never ends well, to filters that are not there. */
  Upload endlessUpload() {
    var filler =
        switch (kind) {
          case NONE -> throw new IllegalStateException(this + " takes no body");
          case JSON -> Upload.JSON;
          case LINES -> Upload.LINES;
          case FILE -> Upload.FILE;
        };
    return filler.to(
        method, path.replace("NAME", "nosuch").replace("NEW", "nosuch").replace("OTHER", "none"));
  }

  /** Whether Redis is asked at all. */
  boolean usesRedis() {
    return this != SIZE;
  }

  /** Whether it changes anything. */
  boolean writes() {
    return usesRedis() && !READS.contains(this);
  }

  static Stream<Operation> all() {
    return Arrays.stream(values());
  }

  /** Whether a successful response is correct. */
  boolean isTrue(int status, String answer) {
    if (this == GATE || this == GATE_SEVERAL) {
      return status == 204;
    }
    return answer.replace(" ", "").contains(TRUTHS.getOrDefault(this, ""));
  }

  /**
   * A filter that is ready for this operation.
   *
   * @param shape its parameters
   * @param file the export of a filter of that shape
   */
  Prepared prepare(PackagedService service, String name, String shape, byte[] file) {
    var known = KNOWN.stream().collect(Collectors.joining("\",\"", "[\"", "\"]"));
    var elements = "{\"elements\": " + known + "}";
    var filter = "/v1/filters/" + name;
    if (usesRedis()) {
      var counts = ON_COUNTERS.contains(this);
      service.done("PUT", filter, counts ? Shapes.counting(shape) : shape);
      service.done("POST", filter + "/add", elements);
      if (counts) {
        service.done("POST", filter + "/add", "{\"elements\": [\"gone\"]}");
      }
    }
    if (this == MERGE) {
      service.done("PUT", filter + "-other", shape);
    }
    if (ON_REBUILDS.contains(this)) {
      service.done("POST", filter + "/rebuild", "{}");
      service.done("POST", filter + "/rebuild/add", elements);
    }
    if (ON_SOURCES.contains(this)) {
      service.done("PUT", filter + "/source", "{\"redisKey\": \"source-members\"}");
    }
    return new Prepared(this, service, name, shape, file);
  }

  /** An operation with its filter. */
  record Prepared(
      Operation operation, PackagedService service, String name, String shape, byte[] file) {

    /** The same, to be run by another instance of the service. */
    Prepared at(PackagedService other) {
      return new Prepared(operation, other, name, shape, file);
    }

    /** Runs it; an answer that is no answer of HTTP is a failure of the future. */
    CompletableFuture<Outcome> run() {
      var content =
          switch (operation.kind) {
            case NONE -> new byte[0];
            case JSON -> bytes(filled(operation.body));
            case LINES -> bytes(String.join("\n", KNOWN) + "\n");
            case FILE -> file;
          };
      var type =
          switch (operation.kind) {
            case NONE, JSON -> "application/json";
            case LINES -> "text/plain";
            case FILE -> "application/octet-stream";
          };
      return service
          .sendAsync(service.request(operation.method, filled(operation.path), type, content))
          .thenApply(answer -> Outcome.of(operation, answer));
    }

    private String filled(String text) {
      return text.replace("NAME", name)
          .replace("OTHER", name + "-other")
          .replace("NEW", name + "-new")
          .replace("SHAPE", shape);
    }

    /** Removes what it may have left. */
    void clean() {
      for (var one : List.of(name, name + "-other", name + "-new")) {
        try {
          service.send("DELETE", "/v1/filters/" + one + "?deleteKey=true", "");
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }

    private static byte[] bytes(String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
  }
}
