package io.github.bloomgate.topology;

import static io.github.bloomgate.support.Bytes.utf8;
import static io.github.bloomgate.support.ExampleRequest.FILE;
import static io.github.bloomgate.support.ExampleRequest.JSON;
import static io.github.bloomgate.support.ExampleRequest.LINES;

import io.github.bloomgate.support.ExampleRequest;
import io.github.bloomgate.support.ExampleRequest.Names;
import io.github.bloomgate.support.PlainHttp;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * An operation of the contract that calls Redis, as a request for a filter with {@link #ELEMENTS}.
 *
 * @param moved the key whose slot moves
 */
record MovedOperation(ExampleRequest request, Moved moved, Variant variant) {

  enum Moved {
    NAME,
    OTHER,
    FRESH,
    CATALOGUE
  }

  enum Variant {
    NONE,
    /** Creates a filter that exists. */
    AGAIN,
    /** With one new element. */
    ONE
  }

  /** Enough to be added as bitmaps, if possible. */
  static final List<String> ELEMENTS =
      IntStream.range(0, 5_000).mapToObj(i -> "held-" + i).toList();

  private static final List<String> GONE = List.of("gone");

  /** Each operation. Operations on several keys are repeated for each slot that can move. */
  static List<MovedOperation> all() {
    return ExampleRequest.all().stream()
        .filter(request -> !request.isOf("calculateSize"))
        .flatMap(MovedOperation::of)
        .toList();
  }

  private static Stream<MovedOperation> of(ExampleRequest request) {
    return switch (request.id()) {
      case "describeService", "listFilters" -> Stream.of(moving(request, Moved.CATALOGUE));
      case "createFilter" ->
          Stream.of(
              moving(request, Moved.FRESH),
              moving(request, Moved.CATALOGUE),
              new MovedOperation(request, Moved.NAME, Variant.AGAIN));
      case "importFilter" ->
          Stream.of(
              moving(request, Moved.FRESH), new MovedOperation(request, Moved.NAME, Variant.AGAIN));
      case "deleteFilter" ->
          Stream.of(moving(request, Moved.NAME), moving(request, Moved.CATALOGUE));
      case "addElements" ->
          Stream.of(
              moving(request, Moved.NAME), new MovedOperation(request, Moved.NAME, Variant.ONE));
      case "copyFilter" -> Stream.of(moving(request, Moved.NAME), moving(request, Moved.FRESH));
      case "mergeFilters" -> Stream.of(moving(request, Moved.NAME), moving(request, Moved.OTHER));
      default -> Stream.of(moving(request, Moved.NAME));
    };
  }

  private static MovedOperation moving(ExampleRequest request, Moved moved) {
    return new MovedOperation(request, moved, Variant.NONE);
  }

  boolean isOf(String... ids) {
    return request.isOf(ids);
  }

  private boolean isAgain() {
    return variant == Variant.AGAIN;
  }

  String movedKey(Filters filters) {
    return switch (moved) {
      case CATALOGUE -> "bloom:{=names}";
      case FRESH -> stateKey(filters.fresh());
      case OTHER -> stateKey(filters.other());
      case NAME -> stateKey(filters.name());
    };
  }

  static String stateKey(String name) {
    return "bloom:{" + name + "}";
  }

  /** Whether the filter has counters, and an element to remove. */
  boolean counts() {
    return isOf("removeElements", "countElements");
  }

  /** Whether the filter has an open rebuild, in addition to all other possible keys. */
  boolean hasRebuild() {
    return !isOf("clearFilter", "mergeFilters", "replaceElements", "openRebuild", "runSource")
        && !(isOf("importFilter") && isAgain());
  }

  /** Whether the operation creates a filter. */
  boolean makes() {
    return isOf("createFilter", "copyFilter", "renameFilter", "importFilter") && !isAgain();
  }

  /** Whether the new filter has the elements. */
  boolean fills() {
    return makes() && !isOf("createFilter");
  }

  /** Whether the operation removes the elements or the filter. */
  boolean drops() {
    return isOf("deleteFilter", "clearFilter", "renameFilter");
  }

  /** Whether a second run of the operation would fail because the first has succeeded. */
  boolean ends() {
    return isOf("deleteFilter", "renameFilter", "commitRebuild", "abortRebuild", "removeSource");
  }

  /** Whether a successful response is correct. */
  boolean isTrue(PlainHttp.Reply answer) {
    var text = answer.text().replace(" ", "");
    return switch (request.id()) {
      case "describeService" -> !text.contains("\"filters\":0,");
      case "listFilters" -> text.contains("\"name\":");
      case "testElements" -> text.contains("\"mightContainCount\":" + ELEMENTS.size());
      case "countElements" -> text.contains("\"counts\":[1,");
      case "testFewElements" -> text.contains("\"mightContain\":[true]");
      case "checkGate" -> answer.status() == 204;
      default -> true;
    };
  }

  /**
   * The filters of one trial.
   *
   * @param members a Redis key with the elements
   * @param fresh a name without a filter
   * @param file an export of the filter
   */
  record Filters(
      String name, String other, String fresh, String members, String shape, byte[] file) {}

  PlainHttp.Reply send(Filters filters) {
    var names =
        new Names(
            filters.name(),
            filters.other(),
            isAgain() ? filters.name() : filters.fresh(),
            filters.members());
    var elements = elements();
    var path = request.path(names, elements.get(0)) + (isOf("runSource") ? "?wait=true" : "");
    var content =
        switch (request.type()) {
          case JSON -> utf8(isOf("createFilter") ? filters.shape() : request.json(names, elements));
          case LINES -> utf8(String.join("\n", elements) + "\n");
          case FILE -> filters.file();
          default -> null;
        };
    return PlainHttp.send(request.operation().method(), path, request.type(), content);
  }

  private List<String> elements() {
    if (variant == Variant.ONE) {
      return List.of("b");
    }
    return isOf("removeElements") ? GONE : ELEMENTS;
  }

  /** As many elements as {@link #ELEMENTS}, which have the prefix {@code held-}. */
  static String elements(String prefix) {
    return IntStream.range(0, ELEMENTS.size())
        .mapToObj(i -> "\"" + prefix + i + "\"")
        .collect(Collectors.joining(",", "{\"elements\":[", "]}"));
  }

  @Override
  public String toString() {
    return "%s %s moving %s".formatted(request, variant, moved);
  }
}
