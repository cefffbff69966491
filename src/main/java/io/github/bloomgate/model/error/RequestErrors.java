package io.github.bloomgate.model.error;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Optional;

/** Errors of requests in general. */
public final class RequestErrors {

  private static final int LONGEST_SHOWN = 64;

  private RequestErrors() {}

  /**
   * An invalid value.
   *
   * @param detail names the value, the limit and the remedy
   */
  public static BloomException invalid(String detail) {
    return BloomException.of(ErrorCode.INVALID_REQUEST, detail);
  }

  /** Puts the first violation into the message and all of them into the details. */
  public static BloomException invalid(List<Violation> violations) {
    var first = violations.get(0);
    var more = violations.size() - 1;
    return invalid(
        "%s %s%s Nothing was changed; correct it and repeat the request."
            .formatted(
                first.field(),
                first.message(),
                more == 0
                    ? first.message().endsWith("?") ? "" : "."
                    : ", and %d more values are invalid.".formatted(more)),
        violations);
  }

  public static BloomException invalid(String detail, List<Violation> violations) {
    return new BloomException(
        ErrorCode.INVALID_REQUEST, detail, new ProblemDetails.Violations(violations), null);
  }

  /** The beginning of a sentence about a number of elements. */
  public static String elementsWere(long count) {
    return count == 1 ? "1 element was" : count + " elements were";
  }

  /** A header that identifies the client or the host was sent twice. */
  public static BloomException headerTwice(Object header) {
    return invalid(
        "The request has the header '%s' more than once. Send it once.".formatted(header));
  }

  /** The request is not HTTP, or its URL is none. */
  public static BloomException malformed() {
    return invalid(
        "The request is not well-formed HTTP, lacks the Host header, or has a character in its URL that must be percent-encoded, such as %, {, | or a space. Correct it and repeat the request.");
  }

  public static BloomException noSuchResource() {
    return BloomException.of(
        ErrorCode.NOT_FOUND,
        "There is nothing at this path. /q/swagger-ui lists the paths; the name of a filter has no slash.");
  }

  public static BloomException unsupportedType(Optional<String> sent, List<String> accepted) {
    return BloomException.of(
        ErrorCode.UNSUPPORTED_FORMAT,
        "%s, but this operation takes %s. Nothing was changed. Send the type of the body; with curl: %s."
            .formatted(
                sent.map(type -> "The Content-Type is '%s'".formatted(shown(type)))
                    .orElse("The request has no Content-Type"),
                accepted.stream().map(RequestErrors::inUtf8).collect(joining(" or ")),
                accepted.stream().map(RequestErrors::curl).collect(joining(" or "))));
  }

  public static BloomException unsupportedCoding(List<String> sent) {
    return BloomException.of(
        ErrorCode.UNSUPPORTED_FORMAT,
        "The Content-Encoding is '%s', but bodies must be uncompressed or gzip. Nothing was changed. With curl, send: -H 'Content-Encoding: gzip' --data-binary @FILE.gz."
            .formatted(shown(String.join(", ", sent))));
  }

  private static String inUtf8(String type) {
    return type.endsWith("/octet-stream") ? type : type + " in UTF-8";
  }

  /** Curl's -d removes line ends. */
  private static String curl(String type) {
    return "-H 'Content-Type: %s'".formatted(type)
        + (type.endsWith("/json") ? " -d '{...}'" : " --data-binary @FILE");
  }

  /** Shortens a header, which may be anything, of any length. */
  public static String shown(String header) {
    var shown = header.replaceAll("[^ -~]", "?");
    return shown.length() <= LONGEST_SHOWN ? shown : shown.substring(0, LONGEST_SHOWN) + "...";
  }

  public static BloomException tooLarge(String detail) {
    return BloomException.of(ErrorCode.TOO_LARGE, detail);
  }

  public static BloomException unexpectedBody() {
    return invalid(
        "The request has a body, but this operation takes none. Nothing was done; leave it out.");
  }

  /** A body of unknown length exceeds the limit. */
  public static BloomException bodyTooLong(long limit) {
    return tooLarge(
        "The body exceeds the limit of %d bytes. Send fewer elements in one request."
            .formatted(limit));
  }

  /** A value exceeds a limit of the service. */
  public static BloomException limitExceeded(String detail) {
    return BloomException.of(ErrorCode.LIMIT_EXCEEDED, detail);
  }

  /** There was no memory for the request, even after waiting. */
  public static BloomException overloaded() {
    return BloomException.of(
        ErrorCode.OVERLOADED,
        "Other requests use all the memory reserved for requests. Repeat the request later, or send fewer elements per request.");
  }

  /** The JVM refused memory for the request. */
  public static BloomException outOfMemory(Throwable refused) {
    return new BloomException(
        ErrorCode.OVERLOADED,
        "The service has no memory left for the request. Repeat it later.",
        null,
        refused);
  }

  /** There is no memory for another request or its response. */
  public static BloomException unreadResponses() {
    return BloomException.of(
        ErrorCode.OVERLOADED,
        "Other requests in progress, and responses that have not been read, use all the memory reserved for them, or this client's share. Nothing was done. Read the responses, send fewer requests at once, and repeat the request later.");
  }

  /** A defect of the service. The cause is logged, not sent to the client. */
  public static BloomException internal(String forTheLog, Throwable cause) {
    return new BloomException(ErrorCode.INTERNAL, forTheLog, null, cause);
  }
}
