package io.github.bloomgate.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.bloomgate.fuzz.HttpCase.Flaw;
import io.github.bloomgate.support.Contract.Operation;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The path and the query of one request. */
final class PathAndQuery {

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

  private final Operation operation;
  private final String name;
  private final Values values;
  private final Dice dice;
  private final Set<Flaw> flaws;

  PathAndQuery(Operation operation, String name, Values values, Dice dice, Set<Flaw> flaws) {
    this.operation = operation;
    this.name = name;
    this.values = values;
    this.dice = dice;
    this.flaws = flaws;
  }

  String make() {
    return path() + query();
  }

  private String path() {
    var path =
        operation.path().replace("{name}", flaws.contains(Flaw.NAME) ? dice.of(BAD_NAMES) : name);
    if (!flaws.contains(Flaw.PATH)) {
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
    if (flaws.contains(Flaw.UNKNOWN_PARAMETER)) {
      query.add(dice.of("unknown=1", "Element=a", "a", "__proto__=x"));
    }
    if (flaws.contains(Flaw.PARAMETER)) {
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
                  "=1e-3",
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
    if (flaws.contains(Flaw.PERCENT)) {
      query.add(
          dice.of("element", "prefix", "x") + dice.of("=%", "=%2", "=%zz", "=%%", "=a%u0041"));
    }
    return query.isEmpty() ? "" : "?" + String.join("&", query);
  }

  private String encoded(String key, JsonNode value) {
    return key + "=" + URLEncoder.encode(value.asText(), UTF_8);
  }
}
