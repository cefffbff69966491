package io.github.bloomgate.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.bloomgate.support.Contract;
import java.time.Instant;
import java.util.List;

/** Values that a schema of the contract allows, and values just outside its limits. */
final class Values {

  /** Part of every element, so that a test can find elements in errors. */
  static final String MARK = "qZx7Elem";

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final Instant LONG_AGO = Instant.parse("2020-02-29T23:59:59Z");
  private static final int DAY = 86_400;

  private final Contract contract;
  private final Names names;
  private final Dice dice;

  /** Whether to make values at and beyond the limits. */
  private final boolean bounds;

  Values(Contract contract, Names names, Dice dice, boolean bounds) {
    this.contract = contract;
    this.names = names;
    this.dice = dice;
    this.bounds = bounds;
  }

  /** Makes a value for a field of a body or of a query. */
  JsonNode of(String field, JsonNode reference) {
    var schema = contract.resolve(reference);
    return switch (field) {
      case "expectedInsertions" -> elements();
      case "bitSize" -> bits();
      case "to", "from" ->
          schema.path("type").asText().equals("array") ? array(field, schema) : name();
      case "filter", "filters" -> filters(schema);
      case "redisKey" -> JSON.textNode(dice.percent(60) ? names.key(dice) : names.set());
      case "url" ->
          JSON.textNode(
              dice.of(
                  "http://127.0.0.1:1/lists/a",
                  "https://lists.example.com.evil/",
                  "ftp://x",
                  "http://[",
                  "file:///etc/passwd"));
      case "file" ->
          JSON.textNode(
              dice.of("a.txt", "../a.txt", "/etc/passwd", "a\u0000b", "sub/../../x.gz", "."));
      case "cron" ->
          JSON.textNode(
              dice.of(
                  "0 3 * * *",
                  "*/5 * * * 1-5",
                  "61 * * * *",
                  "0 0 30 2 *",
                  "@daily",
                  "* * * * * *",
                  "1-"));
      case "timeZone" -> JSON.textNode(dice.of("Europe/Berlin", "UTC", "Mars/Base", "", "GMT+99"));
      case "expiresAt" -> JSON.textNode(moment());
      case "ttlSeconds", "idleSeconds" ->
          bounds ? number(schema) : JSON.numberNode(DAY + dice.below(DAY));
      case "timeoutSeconds" -> bounds ? number(schema) : JSON.numberNode(DAY);
      case "everySeconds" ->
          JSON.numberNode(bounds ? dice.of(9L, 10L, 0L, -1L, 31_536_001L).longValue() : DAY);
      case "element" -> JSON.textNode(element());
      case "cursor" -> JSON.textNode(dice.of("", "x", "AAAA", "bmFtZQ", "%", MARK));
      case "prefix" -> JSON.textNode(dice.of("", names.prefix(), "\u0000", "[", "\uffff"));
      case "id" ->
          JSON.textNode(dice.of("a8018a1473cc2bd7", "", "0", "../..", "ffffffffffffffff0"));
      default -> bySchema(field, schema);
    };
  }

  /** Makes a body. */
  ObjectNode object(JsonNode schema) {
    var object = JSON.objectNode();
    var required = Contract.texts(schema.path("required"));
    var properties = schema.path("properties");
    var several = dice.below(100);
    properties
        .properties()
        .forEach(
            property -> {
              if (required.contains(property.getKey()) || dice.below(300) < several) {
                object.set(property.getKey(), of(property.getKey(), property.getValue()));
              }
            });
    if (properties.has("hashScheme") && dice.percent(70)) {
      object.remove(List.of("hashScheme", "elementCodec", "redisKey"));
    }
    if (properties.has("expectedInsertions") && dice.percent(80)) {
      object.remove(List.of("bitSize", "numHashFunctions"));
      object.set("expectedInsertions", elements());
    }
    if (dice.percent(80)) {
      object.remove(
          object.has("idleSeconds")
              ? List.of("ttlSeconds", "expiresAt")
              : List.of("extendedByTests"));
    }
    if (object.get("window") instanceof ObjectNode window && dice.percent(80)) {
      makeFit(object, window);
    } else if (dice.percent(80)) {
      object.remove(List.of("slices", "refresh"));
    }
    return object;
  }

  /** Removes fields that are not allowed with a window. */
  private void makeFit(ObjectNode object, ObjectNode window) {
    object.remove(List.of("bitSize", "numHashFunctions", "hashScheme", "elementCodec", "redisKey"));
    object.remove(List.of("whenFull", "growthFactor", "maxSizeBytes"));
    window.remove(dice.of("seconds", "insertions"));
    if (window.has("insertions")) {
      object.remove("expectedInsertions");
      window.set("insertions", elements());
    }
  }

  private JsonNode bySchema(String field, JsonNode schema) {
    if (schema.has("enum")) {
      return JSON.textNode(dice.of(Contract.texts(schema.get("enum"))));
    }
    if (schema.has("anyOf")) {
      var first = contract.resolve(schema.get("anyOf").get(0));
      return dice.percent(10) ? JSON.nullNode() : of(field, first);
    }
    return switch (schema.path("type").asText()) {
      case "integer", "number" -> number(schema);
      case "boolean" -> JSON.booleanNode(dice.percent(50));
      case "array" -> array(field, schema);
      case "object" -> object(schema);
      default -> JSON.textNode(text());
    };
  }

  private JsonNode array(String field, JsonNode schema) {
    var array = JSON.arrayNode();
    var most = schema.path("maxItems").asInt(100);
    var length = bounds && dice.percent(3) ? dice.of(0, most, most + 1) : 1 + dice.length(20);
    for (var i = 0; i < length; i++) {
      array.add(
          field.equals("elements")
              ? JSON.textNode(element())
              : field.equals("from")
                  ? name()
                  : bySchema(field, contract.resolve(schema.path("items"))));
    }
    return array;
  }

  /** Names of filters that may change. There are only a few, so that most of them exist. */
  private JsonNode filters(JsonNode schema) {
    var array = JSON.arrayNode();
    var tooMany = schema.path("maxItems").asInt(100) + 1;
    var length = bounds && dice.percent(3) ? dice.of(0, tooMany) : 1 + dice.length(4);
    for (var i = 0; i < length; i++) {
      array.add(names.victim(dice));
    }
    return array;
  }

  private JsonNode name() {
    return JSON.textNode(
        bounds && dice.percent(10)
            ? dice.of("", "-", "a b", "n".repeat(129), "\u00e4", "a/b")
            : dice.percent(5) ? names.kept(dice.below(Kept.FILTERS)) : names.victim(dice));
  }

  /** An element, usually one that was used before. */
  String element() {
    if (bounds && dice.percent(2)) {
      return dice.of(
          "",
          "\u0000",
          MARK + "\ud83d\ude00",
          MARK.repeat(8192),
          MARK.repeat(8192) + "x",
          MARK + "\r\n");
    }
    return MARK + dice.below(dice.percent(50) ? 20 : 500);
  }

  private String moment() {
    return bounds
        ? dice.of(
            LONG_AGO.toString(),
            "9999-12-31T23:59:59Z",
            "+1000000000-01-01T00:00:00Z",
            "2031-02-30T00:00:00Z",
            "tomorrow",
            "")
        : Instant.now().plusSeconds(DAY + dice.below(DAY)).toString();
  }

  private JsonNode elements() {
    return bounds
        ? JSON.numberNode(
            dice.of(
                0L,
                1L,
                2L,
                -1L,
                100_000_000_000L,
                100_000_000_001L,
                Long.MAX_VALUE,
                Long.MIN_VALUE))
        : JSON.numberNode(1 + dice.length(20_000));
  }

  /** Makes sizes that need little memory, or that are so large that they are refused. */
  private JsonNode bits() {
    return bounds
        ? JSON.numberNode(
            dice.of(0L, 1L, 63L, 64L, 65L, 1L << 20, (1L << 36) + 1, Long.MAX_VALUE, -64L))
        : JSON.numberNode(dice.percent(1) ? 1 + (1 << 24) : 1 + dice.length(100_000));
  }

  private JsonNode number(JsonNode schema) {
    var least = Double.parseDouble(schema.path("minimum").asText("0"));
    var most =
        Double.parseDouble(
            schema.path("maximum").asText(schema.path("exclusiveMaximum").asText("100")));
    if (schema.path("type").asText().equals("number")) {
      return JSON.numberNode(
          bounds
              ? dice.of(
                  least, most, Math.nextDown(least), Math.nextUp(most), 0.0, -0.0, 1e-300, 1e300)
              : dice.of(0.01, 0.1, 0.001, 0.5, least + dice.share() * (most - least)));
    }
    return bounds
        ? JSON.numberNode(dice.of((long) least, (long) most, (long) least - 1, (long) most + 1))
        : JSON.numberNode((long) least + dice.length((int) Math.min(100, most - least)));
  }

  private String text() {
    return bounds ? dice.of("", "\u0000", "x".repeat(3000), "\u202e") : "text" + dice.below(9);
  }
}
