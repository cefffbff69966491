package io.github.bloomgate.fuzz;

import io.github.bloomgate.fuzz.HttpCase.Flaw;
import java.util.Set;

/** The headers of a request, some of them unusual. */
final class RequestHeaders {

  static final String JSON = "application/json";

  private final Dice dice;
  private final Set<Flaw> flaws;
  private final StringBuilder lines = new StringBuilder();

  RequestHeaders(Dice dice, Set<Flaw> flaws) {
    this.dice = dice;
    this.flaws = flaws;
  }

  void addAccept() {
    if (flaws.contains(Flaw.ACCEPT)) {
      add(
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
      add("Accept", dice.of("*/*", JSON, "application/json;q=0.5, */*;q=0.1"));
    }
  }

  void addUnusual() {
    if (flaws.contains(Flaw.HEADER)) {
      switch (dice.below(9)) {
        case 0 -> add("X-HTTP-Method-Override", "DELETE");
        case 1 -> add("Authorization", dice.of("Basic !!", "Bearer", "Bearer " + "x".repeat(4000)));
        case 2 -> add("X-Forwarded-Host", "evil\u00e9");
        case 3 -> add("Cookie", "a=".repeat(1000));
        case 4 -> add("Range", "bytes=5-1");
        case 5 -> add("If-None-Match", "*");
        case 6 -> add("Upgrade", dice.of("h2c", "websocket"));
        case 7 -> add("X".repeat(500), "y");
        default -> add("Expect", dice.of("100-continue", "nothing"));
      }
    }
  }

  void add(String key, String value) {
    lines.append(key).append(": ").append(value).append("\r\n");
  }

  @Override
  public String toString() {
    return lines.toString();
  }
}
