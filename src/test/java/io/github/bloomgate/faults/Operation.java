package io.github.bloomgate.faults;

import static io.github.bloomgate.support.ExampleRequest.FILE;
import static io.github.bloomgate.support.ExampleRequest.JSON;
import static io.github.bloomgate.support.ExampleRequest.LINES;

import io.github.bloomgate.support.ExampleRequest;
import io.github.bloomgate.support.ExampleRequest.Names;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An operation of the contract, as a request that succeeds on a filter prepared for it that
 * contains {@link #KNOWN}.
 */
record Operation(ExampleRequest request, Variant variant) {

  /** How a request differs from the contract's example. */
  private enum Variant {
    NONE,
    /** On a filter that exists. */
    AGAIN,
    /** On another library's bitmap. */
    ADOPTED,
    /** With one element. */
    ONE
  }

  /** The initial elements of the filters. */
  static final List<String> KNOWN = List.of("known-1", "known-2", "known-3");

  static final Operation CREATE_AGAIN = of("createFilter", JSON, Variant.AGAIN);
  static final Operation ADD = of("addElements", JSON, Variant.NONE);
  static final Operation TEST = of("testElements", JSON, Variant.NONE);
  static final Operation TEST_ONE = of("testElements", JSON, Variant.ONE);
  static final Operation TEST_STREAM = of("testElements", LINES, Variant.NONE);
  static final Operation TEST_FEW = of("testFewElements", "", Variant.NONE);
  static final Operation GATE = of("checkGate", "", Variant.NONE);

  private static final List<Operation> VARIANTS =
      List.of(CREATE_AGAIN, of("createFilter", JSON, Variant.ADOPTED), TEST_ONE);

  private static final String GONE = "gone";
  private static final String MEMBERS = "source-members";

  /** The type and the length of a frame that says that a follower has everything. */
  private static final String AT = "\5\0\0\0$";

  /** In the last frame of a stream that ends because something failed. */
  private static final Pattern FAILED_END = Pattern.compile("\"code\":\"[A-Z_]+\"");

  /** Text that is in a correct response: the filter exists and has all known elements. */
  private static final Map<String, String> TRUTHS =
      Map.of(
          "listFilters", "\"filters\":[{",
          "describeFilter", "\"insertions\":3,",
          "describeRebuild", "\"insertions\":3,",
          "exportFilter", "afileof3insertions",
          "countElements", "\"counts\":[1,1,1]",
          "testFewElements", "\"mightContain\":[true]",
          "testElementsInFilters application/json", "\"any\":[true,true,true]",
          "testElements application/json", "\"mightContain\":[true",
          "testElements text/plain", "\"mightContainCount\":3");

  /** All requests of the contract, and their variants. */
  static Stream<Operation> all() {
    return Stream.concat(
        ExampleRequest.all().stream().map(request -> new Operation(request, Variant.NONE)),
        VARIANTS.stream());
  }

  private static Operation of(String id, String type, Variant variant) {
    return ExampleRequest.all().stream()
        .filter(request -> request.isOf(id) && request.type().equals(type))
        .map(request -> new Operation(request, variant))
        .findFirst()
        .orElseThrow();
  }

  /** The export of a filter, for imports. */
  static byte[] exported(PackagedService service) {
    service.done("PUT", "/v1/filters/exported", Shapes.ONE);
    try {
      return service.send("GET", "/v1/filters/exported/export", "").body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean isOf(String... ids) {
    return request.isOf(ids);
  }

  boolean hasBody() {
    return !request.type().isEmpty();
  }

  /** An upload that never succeeds, to filters that do not exist. */
  Upload endlessUpload() {
    var filler =
        switch (request.type()) {
          case JSON -> Upload.JSON;
          case LINES -> Upload.LINES;
          case FILE -> Upload.FILE;
          default -> throw new IllegalStateException(this + " takes no body");
        };
    var nowhere = new Names("nosuch", "none", "nosuch", MEMBERS);
    return filler.to(request.operation().method(), request.path(nowhere, "a"));
  }

  boolean usesRedis() {
    return !isOf("calculateSize");
  }

  boolean writes() {
    return usesRedis()
        && !request.operation().reads()
        && !List.of("reader", "follower").contains(request.operation().role());
  }

  /** Whether a successful response is correct. */
  boolean isTrue(int status, String answer) {
    if (isOf("checkGate", "checkGateForFilters")) {
      return status == 204;
    }
    if (isOf("checkGateForExtAuthz")) {
      return status == 200;
    }
    if (isOf("followFilter", "continueToFollowFilter") && !answer.contains(AT)) {
      return FAILED_END.matcher(answer).find();
    }
    var truth = TRUTHS.getOrDefault(request.toString(), TRUTHS.getOrDefault(request.id(), ""));
    return answer.replace(" ", "").contains(truth);
  }

  /**
   * Creates a filter that is ready for this operation.
   *
   * @param shape its parameters
   * @param file the export of a filter of that shape
   */
  Prepared prepare(PackagedService service, String name, String shape, byte[] file) {
    var elements = PackagedService.json(KNOWN);
    var filter = "/v1/filters/" + name;
    if (usesRedis()) {
      var counts = isOf("removeElements", "countElements");
      service.done("PUT", filter, counts ? Shapes.counting(shape) : shape);
      service.done("POST", filter + "/add", elements);
      if (counts) {
        service.done("POST", filter + "/add", PackagedService.json(List.of(GONE)));
      }
    }
    if (request.usesOther()) {
      service.done("PUT", filter + "-other", shape);
    }
    var path = request.operation().path();
    if (path.contains("/rebuild") && !isOf("openRebuild", "runSource")) {
      service.done("POST", filter + "/rebuild", "{}");
      service.done("POST", filter + "/rebuild/add", elements);
    }
    if (path.endsWith("/source") || isOf("runSource")) {
      service.done("PUT", filter + "/source", "{\"redisKey\": \"" + MEMBERS + "\"}");
    }
    return new Prepared(this, service, name, shape, file);
  }

  @Override
  public String toString() {
    return variant == Variant.NONE ? request.toString() : request + " " + variant;
  }

  /** An operation with its filter. */
  record Prepared(
      Operation operation, PackagedService service, String name, String shape, byte[] file) {

    /** Returns the same operation, to be run by another instance. */
    Prepared at(PackagedService other) {
      return new Prepared(operation, other, name, shape, file);
    }

    /** Runs the operation. The future fails if the response is not HTTP. */
    CompletableFuture<Outcome> run() {
      var request = operation.request;
      var path = request.path(names(), elements().get(0));
      var content =
          switch (request.type()) {
            case JSON -> bytes(json());
            case LINES -> bytes(String.join("\n", elements()) + "\n");
            case FILE -> file;
            default -> new byte[0];
          };
      var type = request.type().isEmpty() ? JSON : request.type();
      return service
          .sendAsync(service.request(request.operation().method(), path, type, content))
          .thenApply(answer -> Outcome.of(operation, answer));
    }

    private Names names() {
      var fresh = operation.variant == Variant.AGAIN ? name : name + "-new";
      return new Names(name, name + "-other", fresh, MEMBERS);
    }

    /** The known elements must stay. */
    private List<String> elements() {
      if (operation.isOf("removeElements")) {
        return List.of(GONE);
      }
      if (operation.request.operation().role().equals("writer")) {
        return List.of("one", "two");
      }
      return operation.variant == Variant.ONE ? KNOWN.subList(0, 1) : KNOWN;
    }

    private String json() {
      if (operation.variant == Variant.ADOPTED) {
        return "{\"hashScheme\": \"go-zero\", \"bitSize\": 4096, \"redisKey\": \"adopted-%s\"}"
            .formatted(name);
      }
      return operation.isOf("createFilter") ? shape : operation.request.json(names(), elements());
    }

    /** Removes everything that the operation may have left. */
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
