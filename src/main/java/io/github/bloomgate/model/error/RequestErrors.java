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
        "%s %s%s. Nothing was changed; correct it and repeat the request."
            .formatted(
                first.field(),
                first.message(),
                more == 0 ? "" : ", and %d more values are invalid".formatted(more)),
        violations);
  }

  public static BloomException invalid(String detail, List<Violation> violations) {
    return new BloomException(
        ErrorCode.INVALID_REQUEST, detail, new ProblemDetails.Violations(violations), null);
  }

  /** Does not repeat the name, which may be anything, of any length. */
  public static BloomException invalidName() {
    return invalid(
        "A filter name has 1 to 128 characters of A-Z a-z 0-9 . _ ~ : @ - and begins with a letter"
            + " or digit. Choose such a name.");
  }

  /** The beginning of a sentence about a number of elements. */
  static String elementsWere(long count) {
    return count == 1 ? "1 element was" : count + " elements were";
  }

  /**
   * The filter's hash scheme does not accept an element.
   *
   * @param index of the element within the request, from 0
   * @param reason completes "the element ..."; never contains any of the element
   */
  public static BloomException unsupportedElement(int index, String reason) {
    return invalid(
        "The element at index %d %s. Nothing was changed; correct it and repeat the request."
            .formatted(index, reason));
  }

  /** A header that identifies the client or the host was sent twice. */
  public static BloomException headerTwice(Object header) {
    return invalid(
        "The request has the header '%s' more than once. Send it once.".formatted(header));
  }

  public static BloomException noSuchResource() {
    return BloomException.of(
        ErrorCode.NOT_FOUND,
        "There is nothing at this path. /q/swagger-ui lists the paths; the name of a filter has no slash.");
  }

  public static BloomException methodNotAllowed(String sent, String methods) {
    return new BloomException(
        ErrorCode.METHOD_NOT_ALLOWED,
        "This path does not support %s. It supports %s.".formatted(shown(sent), methods),
        new ProblemDetails.Allowed(methods),
        null);
  }

  public static BloomException notAcceptable(String sent, List<String> answers) {
    return BloomException.of(
        ErrorCode.NOT_ACCEPTABLE,
        "The Accept header '%s' excludes the media type of this operation's response, %s. Accept that, or leave the header out; with curl: %s."
            .formatted(
                shown(sent),
                String.join(" or ", answers),
                answers.stream().map("-H 'Accept: %s'"::formatted).collect(joining(" or "))));
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

  private static String inUtf8(String type) {
    return type.endsWith("/octet-stream") ? type : type + " in UTF-8";
  }

  /** Curl's -d removes line ends. */
  private static String curl(String type) {
    return "-H 'Content-Type: %s'".formatted(type)
        + (type.endsWith("/json") ? " -d '{...}'" : " --data-binary @FILE");
  }

  public static BloomException unsupportedCoding(String sent) {
    return BloomException.of(
        ErrorCode.UNSUPPORTED_FORMAT,
        "The Content-Encoding is '%s', but bodies must be uncompressed or gzip. Nothing was changed. With curl, send: -H 'Content-Encoding: gzip' --data-binary @FILE.gz."
            .formatted(shown(sent)));
  }

  /** Shortens a header or parameter, which may be anything, of any length. */
  public static String shown(String text) {
    var shown = text.replaceAll("[^ -~]", "?");
    return shown.length() <= LONGEST_SHOWN ? shown : shown.substring(0, LONGEST_SHOWN) + "...";
  }

  public static BloomException tooLarge(String detail) {
    return BloomException.of(ErrorCode.TOO_LARGE, detail);
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

  public static BloomException shuttingDown() {
    return BloomException.of(
        ErrorCode.SHUTTING_DOWN,
        "This instance is shutting down and accepts no more requests. Nothing was done. Repeat the request on a new connection, which reaches another instance, or this one once it is back.");
  }

  /** A defect of the service. The cause is logged, not sent to the client. */
  public static BloomException internal(String forTheLog, Throwable cause) {
    return new BloomException(ErrorCode.INTERNAL, forTheLog, null, cause);
  }
}
