package io.github.bloomgate.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.bloomgate.fuzz.HttpCase.Flaw;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.support.Contract;
import io.github.bloomgate.support.Contract.Operation;
import io.github.bloomgate.support.RawResponse;
import java.io.IOException;
import java.util.Arrays;
import java.util.Set;
import java.util.regex.Pattern;

/** Checks whether the contract allows a response to a request. */
final class ResponseCheck {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern INNARDS =
      Pattern.compile(
          "Exception|\\bat"
              + " [a-z]+\\.[a-z.]+|\\b(java|jakarta|io\\.(quarkus|vertx|netty|github)|com\\.fasterxml)\\.");

  /** Responses that every operation allows. */
  private static final Set<String> ALWAYS =
      Set.of("TOO_MANY_STREAMS", "FILTER_CHANGED", "STORE_UNAVAILABLE", "STORE_OUTCOME_UNKNOWN");

  private static final int LONGEST_REQUEST_LINE = 4096;

  /** The most bytes that a client sends before it can read a response. */
  private static final int MOST_UNREAD = 60_000;

  private final Contract contract;

  ResponseCheck(Contract contract) {
    this.contract = contract;
  }

  /** The mistake in a response; empty if it is correct. */
  String mistake(HttpCase of, RawResponse answer) {
    var status = answer.status();
    if (status == HttpConnection.SILENCE.status()) {
      return "no answer in time";
    }
    if (status == HttpConnection.CLOSED.status()) {
      return of.has(Flaw.CUT) || mayBeBrokenOff(of) ? "" : "closed without an answer";
    }
    var body = new String(answer.body(), UTF_8);
    if (INNARDS.matcher(body).find()
        && !answer.header("content-type").startsWith("application/octet")) {
      return "shows internals";
    }
    if (of.mustFail() && status < 400 && answer.isWhole() && !isProbe(of)) {
      return "accepted";
    }
    if (status < 400) {
      return goodAnswer(of, answer, body);
    }
    // From 400 on, only the gates' "no" is not an error. It has no body.
    if (of.operation().isNo(status) && body.isEmpty()) {
      return "";
    }
    if (isBelowTheService(of, answer)) {
      return "";
    }
    if (of.isHead()) {
      return ofHead(of, status);
    }
    return problem(of, answer, body);
  }

  /**
   * A stream is answered while it arrives, so an error in it can only close the connection. If the
   * client then sends more bytes, its system may discard the response.
   */
  private static boolean mayBeBrokenOff(HttpCase of) {
    return of.request().length > MOST_UNREAD
        && of.operation().bodies().containsKey("text/plain")
        && (of.has(Flaw.BODY) || of.has(Flaw.CODING));
  }

  /** Responses that the HTTP server sends on every path. */
  private boolean isProbe(HttpCase of) {
    var request = new String(of.request(), 0, 8, java.nio.charset.StandardCharsets.ISO_8859_1);
    return of.has(Flaw.METHOD)
        && (request.startsWith("OPTIONS ")
            || (request.startsWith("HEAD ")
                && contract.at(of.operation().path()).containsKey("GET")));
  }

  /** Responses without a body have no code, so it only compares the status. */
  private static String ofHead(HttpCase of, int status) {
    var isMeant = !of.has(Flaw.METHOD) && !of.has(Flaw.PATH);
    var isPossible =
        switch (status) {
          case 404, 405 -> of.has(Flaw.NAME);
          case 406 -> of.has(Flaw.ACCEPT);
          case 503, 504 -> true;
          default -> false;
        };
    return isPossible || of.operation().answers().containsKey(status) || (!isMeant && status < 500)
        ? ""
        : "a status that is not in the contract of HEAD";
  }

  private static boolean isBelowTheService(HttpCase of, RawResponse answer) {
    return switch (answer.status()) {
      case 400 -> of.has(Flaw.PERCENT) || of.has(Flaw.NAME) || of.has(Flaw.HEADER);
      case 414 -> new String(of.request(), UTF_8).indexOf("\r\n") > LONGEST_REQUEST_LINE;
      case 417 -> of.has(Flaw.HEADER);
      default -> false;
    };
  }

  private String goodAnswer(HttpCase of, RawResponse answer, String body) {
    if (of.has(Flaw.METHOD) || of.has(Flaw.PATH)) {
      return "";
    }
    var documented = of.operation().answers().get(answer.status());
    if (documented == null) {
      return "a status that is not in the contract";
    }
    if (body.isEmpty()) {
      return documented.schemas().isEmpty()
              || of.isHead()
              || !answer.isWhole()
              || isStream(documented.schemas().keySet())
          ? ""
          : "no body";
    }
    var type = answer.header("content-type").split(";")[0];
    if (!documented.schemas().containsKey(type)) {
      return "a media type that is not in the contract: " + type;
    }
    if (type.equals("application/json") && answer.isWhole()) {
      try {
        return String.join(
            "; ", contract.mistakes(documented.schemas().get(type), JSON.readTree(body)));
      } catch (IOException e) {
        return "not JSON";
      }
    }
    return "";
  }

  private static boolean isStream(Set<String> types) {
    return types.contains("application/x-ndjson");
  }

  private String problem(HttpCase of, RawResponse answer, String body) {
    JsonNode problem;
    try {
      problem = JSON.readTree(body);
    } catch (IOException e) {
      return "an error that is not JSON";
    }
    var code = problem.path("code").asText();
    if (!answer.header("content-type").equals("application/problem+json")) {
      return "an error that is no problem document";
    }
    if (problem.path("status").asInt() != answer.status()
        || Arrays.stream(ErrorCode.values())
            .noneMatch(known -> known.name().equals(code) && known.status() == answer.status())) {
      return "a code that is not documented for this status: " + code;
    }
    if (body.contains(Values.MARK)) {
      return "shows an element";
    }
    for (var field : Set.of("type", "title", "detail")) {
      if (problem.path(field).asText().isEmpty()) {
        return "no " + field;
      }
    }
    return isPossible(of, answer.status(), code) ? "" : "not in the contract of this call: " + code;
  }

  private boolean isPossible(HttpCase of, int status, String code) {
    if (ALWAYS.contains(code)) {
      return true;
    }
    return switch (code) {
      case "METHOD_NOT_ALLOWED" -> of.has(Flaw.METHOD) || of.has(Flaw.PATH) || of.has(Flaw.NAME);
      case "NOT_FOUND" -> of.has(Flaw.PATH) || of.has(Flaw.NAME);
      case "NOT_ACCEPTABLE" -> of.has(Flaw.ACCEPT) || hasSeveralMediaTypes(of.operation());
      // Without keys, remote and proxied requests are refused.
      case "FORBIDDEN" -> new String(of.request(), ISO_8859_1).contains("evil");
      case "UNAUTHENTICATED" -> of.has(Flaw.HEADER);
      case "INTERNAL", "STORE_FULL" -> false;
      default -> of.has(Flaw.PATH) || isDocumented(of.operation(), status, code);
    };
  }

  private static boolean hasSeveralMediaTypes(Operation operation) {
    return operation.bodies().containsKey("text/plain") || operation.id().equals("exportFilter");
  }

  private static boolean isDocumented(Operation operation, int status, String code) {
    var documented = operation.answers().get(status);
    return documented != null && documented.codes().contains(code);
  }
}
