package io.github.bloomgate.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * The CPU time of the checks before a resource, with an API key and limits on all rates. Takes
 * samples and computes the share of samples in a check.
 */
final class Checks implements Work {

  private static final String TOKEN = "bg_bench_" + "A".repeat(43);

  /** More than the machine can reach, so that every request counts but none is refused. */
  private static final int RATE = 100_000_000;

  private static final List<String> OF_CHECKS =
      Stream.of("door", "access", "security", "limits", "contract", "problem", "connection")
          .map(name -> "io/github/bloomgate/http/" + name + "/")
          .toList();

  /** Frames that call the code after a check, or surround the whole request. */
  private static final List<String> AROUND =
      List.of(
          "io/vertx/ext/web/impl/RoutingContextImpl.next",
          "io/github/bloomgate/http/door/Door.passRouter",
          "io/github/bloomgate/http/connection/OpenExchanges.channelRead",
          "io/github/bloomgate/http/connection/RequestTurns.",
          // Sends the response.
          "io/github/bloomgate/http/connection/Exchange.send",
          "io/github/bloomgate/http/connection/PacedWrites.");

  @Override
  public String name() {
    return "checks";
  }

  @Override
  public void measure(Stage stage, Report report) {
    var options = stage.options();
    var requests =
        SingleTest.requests(
                Stage.KNOWN, Elements.halfKnown(SingleTest.POOL, options.knownElements()))
            .with("Authorization: Bearer " + TOKEN);
    try (var limited = stage.service().startAnother(stage.folder().resolve(name()), settings())) {
      var time = ProcessorTime.of(limited.app());
      var plain = ProcessorTime.of(stage.service().app());
      var comparison =
          Comparison.warmedUp(
              "CPU of the service for a single test, with a key and limits",
              "us",
              options.repeats(),
              List.of(
                  new Contender(
                      Names.SERVICE, () -> time.perRequest(requests, options.singleRequests())),
                  new Contender(
                      Names.WITHOUT_LIMITS,
                      () -> plain.perRequest(requests, options.singleRequests()))));
      report.compare(comparison, Names.WITHOUT_LIMITS);
      var profile = Profile.start(stage.folder(), limited.app().process(), name());
      var service = time.perRequest(requests, options.singleRequests()).value();
      profile.end();
      report.figure(
          "CPU of the checks before a single test, with a key and limits",
          profile.share(Checks::isInCheck) * service,
          "us");
    }
  }

  private static List<String> settings() {
    return Stream.concat(
            Stream.of("bloomgate.security.keys=bench admin sha256:" + hash()),
            Stream.of("requests", "elements")
                .flatMap(what -> Stream.of("key", "filter").map(whose -> limit(what, whose))))
        .toList();
  }

  private static String limit(String what, String whose) {
    return "bloomgate.limits.%s-per-second-per-%s=%d".formatted(what, whose, RATE);
  }

  private static String hash() {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(TOKEN.getBytes(US_ASCII));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Decides by the innermost frame that is in a check, around checks, or in other code. */
  static boolean isInCheck(String[] stack) {
    for (var i = stack.length - 1; i >= 0; i--) {
      if (begins(stack[i], AROUND)) {
        return false;
      }
      if (begins(stack[i], OF_CHECKS)) {
        return true;
      }
      if (stack[i].startsWith("io/github/bloomgate/")) {
        return false;
      }
    }
    return false;
  }

  private static boolean begins(String frame, List<String> prefixes) {
    return prefixes.stream().anyMatch(frame::startsWith);
  }
}
