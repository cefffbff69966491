package io.github.bloomgate.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.bloomgate.fuzz.Contract.Operation;
import io.github.bloomgate.fuzz.HttpCase.Flaw;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPOutputStream;

/** Makes requests from the contract: some as it says, some at its bounds, some broken. */
final class HttpCases {

  private static final String JSON = "application/json";
  private static final String NDJSON = "application/x-ndjson";
  private static final String BYTES = "application/octet-stream";
  private static final List<String> BAD_NAMES =
      List.of(
          ".a",
          "-a",
          "a%20b",
          "a%2Fb",
          "%00",
          "%C3%A4",
          "a;b=c",
          "n".repeat(129),
          "a%0d%0ab",
          "*",
          "a+b",
          "%25",
          "(a)");
  private static final List<String> METHODS =
      List.of(
          "GET",
          "HEAD",
          "PUT",
          "POST",
          "DELETE",
          "PATCH",
          "OPTIONS",
          "TRACE",
          "PROPFIND",
          "get",
          "X");

  private final Contract contract;
  private final long seed;
  private final int workers;
  private final String prefix;
  private final Map<String, byte[]> files;

  /**
   * @param prefix of all names
   * @param files one that may be imported, by format
   */
  HttpCases(Contract contract, long seed, int workers, String prefix, Map<String, byte[]> files) {
    this.contract = contract;
    this.seed = seed;
    this.workers = workers;
    this.prefix = prefix;
    this.files = files;
  }

  Names names(int worker) {
    return new Names(prefix, worker);
  }

  /** The request of a number: always the same for a seed. */
  HttpCase make(long index) {
    return new Making(index).make();
  }

  private final class Making {
    private final long index;
    private final Dice dice;
    private final Names names;
    private final Operation operation;
    private final boolean broken;
    private final Values values;
    private final Set<Flaw> flaws = EnumSet.noneOf(Flaw.class);
    private final StringBuilder headers = new StringBuilder();
    private String name;

    private Making(long index) {
      this.index = index;
      dice = new Dice(seed, index);
      names = names((int) (index % workers));
      operation = dice.of(contract.operations());
      var kind = dice.below(100);
      broken = kind < 45;
      values = new Values(contract, names, dice, kind < 65);
    }

    private HttpCase make() {
      var onKept = broken && dice.percent(80);
      name =
          dice.percent(2)
              ? prefix + "missing"
              : onKept ? names.kept(dice.below(Kept.FILTERS)) : names.victim(dice);
      // Those who change the last thing must be able to change the first again.
      var flaw = broken ? dice.of(possibleFlaws()) : null;
      if (flaw != null) {
        flaws.add(flaw);
      }
      var body = operation.bodies().isEmpty() ? new byte[0] : body();
      var target = path() + query();
      var method = has(Flaw.METHOD) ? otherMethod() : operation.method();
      accept();
      strangeHeaders();
      return new HttpCase(
          index, operation, assemble(method, target, body), has(Flaw.CUT), onKept, flaws);
    }

    private List<Flaw> possibleFlaws() {
      var possible =
          new ArrayList<>(
              List.of(
                  Flaw.METHOD,
                  Flaw.PATH,
                  Flaw.UNKNOWN_PARAMETER,
                  Flaw.PERCENT,
                  Flaw.ACCEPT,
                  Flaw.HEADER));
      if (operation.path().contains("{name}")) {
        possible.add(Flaw.NAME);
      }
      if (!operation.query().isEmpty()) {
        possible.addAll(List.of(Flaw.PARAMETER, Flaw.PARAMETER, Flaw.PARAMETER));
      }
      if (!operation.bodies().isEmpty()) {
        for (var times = 0; times < 8; times++) {
          possible.add(Flaw.BODY);
        }
        possible.addAll(List.of(Flaw.MEDIA_TYPE, Flaw.MEDIA_TYPE, Flaw.CODING, Flaw.CODING));
        possible.add(Flaw.CUT);
      }
      return possible;
    }

    private boolean has(Flaw flaw) {
      return flaws.contains(flaw);
    }

    private String otherMethod() {
      var taken = contract.methods(operation.path());
      return dice.of(METHODS.stream().filter(method -> !taken.contains(method)).toList());
    }

    private String path() {
      var path = operation.path().replace("{name}", has(Flaw.NAME) ? dice.of(BAD_NAMES) : name);
      if (!has(Flaw.PATH)) {
        return path;
      }
      return switch (dice.below(12)) {
        case 0 -> path + "/";
        case 10 -> path.replace(name, ".");
        case 11 -> path.replace(name, dice.of("..", "%2e%2e", ".%2E/x"));
        case 1 -> "/" + path;
        case 2 -> path + "/unknown";
        case 3 -> path.replace("/v1", "/v2");
        case 4 -> path.replaceFirst("/([a-z]+)", "/$1;a=b");
        case 5 -> path + "#fragment";
        case 6 -> path.replace("filters", "Filters");
        case 7 -> "/x/.." + path;
        case 8 -> path + "x".repeat(5000);
        default -> "http://elsewhere.example" + path;
      };
    }

    private String query() {
      var query = new ArrayList<String>();
      var chance = dice.below(60);
      for (var parameter : operation.query()) {
        if (parameter.required() || dice.percent(chance)) {
          var value = values.of(parameter.name(), parameter.schema());
          if (value.isArray()) {
            value.forEach(one -> query.add(encoded(parameter.name(), one)));
          } else {
            query.add(encoded(parameter.name(), value));
          }
        }
      }
      if (has(Flaw.UNKNOWN_PARAMETER)) {
        query.add(dice.of("unknown=1", "Element=a", "a", "__proto__=x"));
      }
      if (has(Flaw.PARAMETER)) {
        var parameter = dice.of(operation.query());
        query.removeIf(pair -> dice.percent(70) && pair.startsWith(parameter.name() + "="));
        query.add(
            parameter.name()
                + dice.of(
                    "",
                    "=",
                    "=%00",
                    "=-1",
                    "=1.5",
                    "=1e3",
                    "=NaN",
                    "=null",
                    "=TRUE",
                    "=yes",
                    "=" + "9".repeat(30),
                    "=%FF",
                    "=%C0%80",
                    "=%ED%A0%80",
                    "=a,b",
                    "=%20",
                    "=0x1",
                    "[]=1",
                    "=+1",
                    "=%F0%9F%98%80"));
      }
      if (has(Flaw.PERCENT)) {
        query.add(
            dice.of("element", "prefix", "x") + dice.of("=%", "=%2", "=%zz", "=%%", "=a%u0041"));
      }
      return query.isEmpty() ? "" : "?" + String.join("&", query);
    }

    private String encoded(String key, JsonNode value) {
      return key + "=" + URLEncoder.encode(value.asText(), UTF_8);
    }

    private void accept() {
      if (has(Flaw.ACCEPT)) {
        header(
            "Accept",
            dice.of(
                "text/html",
                "application/xml",
                "image/png;q=1",
                "*",
                "a/b/c",
                ";",
                "application/json;q=0",
                ""));
      } else if (dice.percent(20)) {
        header("Accept", dice.of("*/*", JSON, "application/json;q=0.5, */*;q=0.1"));
      }
    }

    private void strangeHeaders() {
      if (has(Flaw.HEADER)) {
        switch (dice.below(9)) {
          case 0 -> header("X-HTTP-Method-Override", "DELETE");
          case 1 ->
              header("Authorization", dice.of("Basic !!", "Bearer", "Bearer " + "x".repeat(4000)));
          case 2 -> header("X-Forwarded-Host", "evil\u00e9");
          case 3 -> header("Cookie", "a=".repeat(1000));
          case 4 -> header("Range", "bytes=5-1");
          case 5 -> header("If-None-Match", "*");
          case 6 -> header("Upgrade", dice.of("h2c", "websocket"));
          case 7 -> header("X".repeat(500), "y");
          default -> header("Expect", dice.of("100-continue", "nothing"));
        }
      }
    }

    private void header(String key, String value) {
      headers.append(key).append(": ").append(value).append("\r\n");
    }

    private byte[] body() {
      var type = dice.of(new ArrayList<>(operation.bodies().keySet()));
      var body =
          switch (type) {
            case JSON -> json(operation.bodies().get(type));
            case BYTES -> file();
            default -> lines(type);
          };
      if (has(Flaw.MEDIA_TYPE)) {
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
            .forEach(other -> header("Content-Type", other));
      } else {
        header(
            "Content-Type",
            dice.percent(10) && !type.equals(BYTES) ? type + "; charset=UTF-8" : type);
      }
      return coded(body);
    }

    private byte[] json(JsonNode schema) {
      var body = values.object(schema);
      return has(Flaw.BODY) ? BrokenJson.of(body, dice) : body.toString().getBytes(UTF_8);
    }

    private byte[] lines(String type) {
      var lines = new ByteArrayOutputStream();
      var isJson = type.equals(NDJSON);
      for (var count = dice.percent(1) ? 3000 : dice.length(60); count > 0; count--) {
        var element = values.element();
        lines.writeBytes(
            (isJson
                    ? "\"%s\"".formatted(element.replace("\u0000", "").replace("\r\n", ""))
                    : element)
                .getBytes(UTF_8));
        lines.writeBytes(dice.of("\n", "\n", "\r\n").getBytes(UTF_8));
      }
      if (has(Flaw.BODY)) {
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
        return dice.percent(30)
            ? BrokenJson.flipped(lines.toByteArray(), dice)
            : lines.toByteArray();
      }
      return lines.toByteArray();
    }

    private byte[] file() {
      var file = files.get(dice.of(new ArrayList<>(files.keySet())));
      if (!has(Flaw.BODY)) {
        return file;
      }
      return switch (dice.below(4)) {
        case 0 -> BrokenJson.cut(file, dice);
        case 1 -> dice.bytes(dice.length(2000));
        case 2 -> {
          // Not in the header, where one bit makes a filter of a gigabyte.
          var bytes = file.clone();
          bytes[40 + dice.below(bytes.length - 40)] ^= (byte) (1 << dice.below(8));
          yield bytes;
        }
        default -> (new String(file, ISO_8859_1) + "x").getBytes(ISO_8859_1);
      };
    }

    private byte[] coded(byte[] body) {
      if (has(Flaw.CODING)) {
        var coding = dice.below(6);
        header(
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
        header("Content-Encoding", "gzip");
        return zipped(body);
      }
      return body;
    }

    private byte[] assemble(String method, String target, byte[] body) {
      var request = new ByteArrayOutputStream();
      var bare = body.length == 0 && operation.bodies().isEmpty() && dice.percent(90);
      var chunked = !bare && !has(Flaw.CUT) && dice.percent(15);
      if (chunked) {
        header("Transfer-Encoding", "chunked");
      } else if (!bare) {
        var missing = has(Flaw.CUT) ? 1 + dice.below(1000) : 0;
        header("Content-Length", "" + (body.length + missing));
      }
      request.writeBytes(
          "%s %s HTTP/1.1\r\nHost: %s\r\n%s\r\n"
              .formatted(method, target, dice.percent(1) ? "evil.example:99" : "localhost", headers)
              .getBytes(ISO_8859_1));
      if (chunked) {
        chunks(body, request);
      } else {
        request.writeBytes(body);
      }
      return request.toByteArray();
    }

    private void chunks(byte[] body, ByteArrayOutputStream request) {
      for (var from = 0; from < body.length; ) {
        var length = Math.min(body.length - from, 1 + dice.length(100_000));
        request.writeBytes("%x\r\n".formatted(length).getBytes(ISO_8859_1));
        request.write(body, from, length);
        request.writeBytes("\r\n".getBytes(ISO_8859_1));
        from += length;
      }
      request.writeBytes("0\r\n\r\n".getBytes(ISO_8859_1));
    }
  }

  private static byte[] zipped(byte[] content) {
    var zipped = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(zipped)) {
      gzip.write(content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return zipped.toByteArray();
  }
}
