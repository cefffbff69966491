package io.github.bloomgate.fuzz;

import static io.github.bloomgate.support.Bytes.zipped;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.bloomgate.fuzz.HttpCase.Flaw;
import io.github.bloomgate.support.Contract.Operation;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Makes the body of a request and adds its headers. */
final class RequestBody {

  private static final String NDJSON = "application/x-ndjson";
  private static final String BYTES = "application/octet-stream";

  private final Operation operation;

  /** A file to import for each format. */
  private final Map<String, byte[]> files;

  private final Values values;
  private final Dice dice;
  private final Set<Flaw> flaws;
  private final RequestHeaders headers;

  RequestBody(
      Operation operation,
      Map<String, byte[]> files,
      Values values,
      Dice dice,
      Set<Flaw> flaws,
      RequestHeaders headers) {
    this.operation = operation;
    this.files = files;
    this.values = values;
    this.dice = dice;
    this.flaws = flaws;
    this.headers = headers;
  }

  byte[] make() {
    var type = dice.of(new ArrayList<>(operation.bodies().keySet()));
    var body =
        switch (type) {
          case RequestHeaders.JSON -> json(operation.bodies().get(type).schema());
          case BYTES -> file();
          default -> lines(type);
        };
    if (flaws.contains(Flaw.MEDIA_TYPE)) {
      dice.of(
              List.of(
                  "",
                  "application/xml",
                  "application/json; charset=utf-16",
                  "text/plain; charset=x",
                  "application/x-www-form-urlencoded",
                  "multipart/form-data; boundary=a",
                  "json",
                  "*/*",
                  "application/json;",
                  "text/plain; charset=\"",
                  "application/problem+json",
                  "\u00e4/b"))
          .lines()
          .forEach(other -> headers.add("Content-Type", other));
    } else {
      headers.add(
          "Content-Type",
          dice.percent(10) && !type.equals(BYTES) ? type + "; charset=UTF-8" : type);
    }
    return coded(body);
  }

  private byte[] json(JsonNode schema) {
    var body = values.object(schema);
    return flaws.contains(Flaw.BODY) ? BrokenJson.of(body, dice) : body.toString().getBytes(UTF_8);
  }

  private byte[] lines(String type) {
    var lines = new ByteArrayOutputStream();
    var isJson = type.equals(NDJSON);
    for (var count = dice.percent(1) ? 3000 : dice.length(60); count > 0; count--) {
      // Lines with this byte are refused.
      var element = values.element().replace("\u0000", "");
      lines.writeBytes(
          (isJson ? "\"%s\"".formatted(element.replace("\r\n", "")) : element).getBytes(UTF_8));
      lines.writeBytes(dice.of("\n", "\n", "\r\n").getBytes(UTF_8));
    }
    if (flaws.contains(Flaw.BODY)) {
      lines.writeBytes(
          dice.of(
                  "\"",
                  "\"\\ud800\"\n",
                  "{}\n",
                  "1\n",
                  "null",
                  "\"a\" \"b\"\n",
                  "[\"a\"]\n",
                  "\"" + "x".repeat(70_000),
                  "y".repeat(500_000),
                  "\u0000\n",
                  "zz\n",
                  "=")
              .getBytes(UTF_8));
      lines.writeBytes(dice.percent(50) ? new byte[] {(byte) 0xc3, '\n'} : dice.bytes(20));
      return dice.percent(30) ? BrokenJson.flipped(lines.toByteArray(), dice) : lines.toByteArray();
    }
    return lines.toByteArray();
  }

  private byte[] file() {
    var file = files.get(dice.of(new ArrayList<>(files.keySet())));
    if (!flaws.contains(Flaw.BODY)) {
      return file;
    }
    return switch (dice.below(4)) {
      case 0 -> BrokenJson.cut(file, dice);
      case 1 -> dice.bytes(dice.length(2000));
      case 2 -> {
        // The header stays, because one bit in it could ask for a filter of a gigabyte.
        var bytes = file.clone();
        bytes[40 + dice.below(bytes.length - 40)] ^= (byte) (1 << dice.below(8));
        yield bytes;
      }
      default -> (new String(file, ISO_8859_1) + "x").getBytes(ISO_8859_1);
    };
  }

  private byte[] coded(byte[] body) {
    if (flaws.contains(Flaw.CODING)) {
      var coding = dice.below(6);
      headers.add(
          "Content-Encoding",
          dice.of("gzip", "gzip", "gzip", "br", "deflate", "gzip, gzip", "x", ""));
      return switch (coding) {
        case 0 -> BrokenJson.cut(zipped(body), dice);
        case 1 -> BrokenJson.flipped(zipped(body), dice);
        case 2 -> body;
        case 3 -> zipped(zipped(body));
        case 4 -> zipped(new byte[dice.of(1000, 1 << 20, 40 << 20)]);
        default -> new byte[] {0x1f, (byte) 0x8b, 8, 0};
      };
    }
    if (dice.percent(8)) {
      headers.add("Content-Encoding", "gzip");
      return zipped(body);
    }
    return body;
  }
}
