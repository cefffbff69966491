package io.github.bloomgate.fuzz;

import static io.github.bloomgate.support.Bytes.joined;
import static io.github.bloomgate.support.Bytes.utf8;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Breaks JSON: in its values, its text or its bytes. */
final class BrokenJson {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final List<String> VALUES =
      List.of(
          "null",
          "true",
          "0",
          "-0",
          "1.5",
          "1e400",
          "-1e-400",
          "NaN",
          "Infinity",
          "-Infinity",
          "0x10",
          "9".repeat(400),
          "0." + "9".repeat(2000),
          "\"\"",
          "\"1\"",
          "[]",
          "{}",
          "[null]",
          "[[]]",
          "\"\\ud800\"",
          "\"\\udc00\\ud800\"",
          "\"\\u0000\"",
          "\"\\x\"",
          "\"a\nb\"",
          "'a'",
          "",
          "[" + "0,".repeat(200) + "0]",
          "{\"a\":{\"a\":{}}}",
          "1 2",
          "-",
          "+1",
          "01",
          ".5",
          "1.");

  private BrokenJson() {}

  /** Bytes of a broken body. A few happen to be valid. */
  static byte[] of(ObjectNode whole, Dice dice) {
    var body = whole.deepCopy();
    var fields = new ArrayList<String>();
    body.properties().forEach(field -> fields.add(field.getKey()));
    return switch (dice.below(16)) {
      case 0 -> utf8(body.put("unknown" + dice.below(3), 1).toString());
      case 1, 2, 3, 4 -> utf8(withValue(body, fields, dice));
      case 5 -> utf8(twice(body, fields, dice));
      case 6 -> cut(utf8(body.toString()), dice);
      case 7 -> utf8(body + dice.of("x", "{}", ",", "\u0000", "]", "}", "// end"));
      case 8 -> utf8(dice.of("\ufeff", "/**/", "[", "\u0000", "\"", "x") + body);
      case 9 -> nested(dice);
      case 10 -> withBytes(utf8(body.toString()), dice);
      case 11 -> body.toString().getBytes(dice.of(UTF_16, UTF_16, ISO_8859_1));
      case 12 -> utf8("[" + body + "]");
      case 13 -> utf8(dice.of(VALUES));
      case 14 -> dice.bytes(dice.length(300));
      default -> flipped(utf8(body.toString()), dice);
    };
  }

  private static String withValue(ObjectNode body, List<String> fields, Dice dice) {
    var place = "\"@place@\"";
    var field = fields.isEmpty() || dice.percent(5) ? "elements" : dice.of(fields);
    if (body.path(field).isArray() && dice.percent(50)) {
      ((com.fasterxml.jackson.databind.node.ArrayNode) body.get(field)).add("@place@");
    } else {
      body.set(field, JSON.textNode("@place@"));
    }
    return body.toString().replace(place, dice.of(VALUES));
  }

  private static String twice(ObjectNode body, List<String> fields, Dice dice) {
    if (fields.isEmpty()) {
      return "{\"a\":1,\"a\":1}";
    }
    var field = dice.of(fields);
    var text = body.toString();
    return text.substring(0, text.length() - 1) + ",\"%s\":%s}".formatted(field, body.get(field));
  }

  private static byte[] nested(Dice dice) {
    var depth = dice.of(10, 999, 1001, 100_000);
    var open = dice.of("[", "{\"elements\":", "{\"a\":[");
    return utf8((dice.percent(50) ? "{\"elements\":" : "") + open.repeat(depth));
  }

  private static byte[] withBytes(byte[] body, Dice dice) {
    var bad =
        dice.of(
            new byte[] {(byte) 0xff},
            new byte[] {(byte) 0xc0, (byte) 0x80},
            new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80},
            new byte[] {(byte) 0xf4, (byte) 0x90, (byte) 0x80, (byte) 0x80},
            new byte[] {(byte) 0xe2, (byte) 0x82},
            new byte[] {0});
    var at = dice.below(body.length);
    return joined(Arrays.copyOf(body, at), bad, Arrays.copyOfRange(body, at, body.length));
  }

  /** The first of these bytes, up to a random length. */
  static byte[] cut(byte[] whole, Dice dice) {
    return Arrays.copyOf(whole, dice.below(whole.length + 1));
  }

  /** Flips some bits, but not of digits, so that no number asks for gigabytes. */
  static byte[] flipped(byte[] whole, Dice dice) {
    var bytes = whole.clone();
    for (var flips = 1 + dice.below(4); flips > 0 && bytes.length > 0; flips--) {
      var at = dice.below(bytes.length);
      var changed = (byte) (bytes[at] ^ 1 << dice.below(8));
      if (!isDigit(changed) && !isDigit(bytes[at]) && changed != 'e' && changed != 'E') {
        bytes[at] = changed;
      }
    }
    return bytes;
  }

  private static boolean isDigit(byte character) {
    return character >= '0' && character <= '9';
  }
}
