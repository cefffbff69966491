package io.github.bloomgate.model.error;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Optional;

/** What is wrong with a request, whatever it is about. */
public final class RequestErrors {

  private static final int LONGEST_SHOWN = 64;

  private RequestErrors() {}

  /**
   * A value of the request is not acceptable; the detail names the value, the limit, the remedy.
   */
  public static BloomException invalid(String detail) {
    return BloomException.of(ErrorCode.INVALID_REQUEST, detail);
  }

  /** Some values are at fault: the first is told in the sentence, all in the violations. */
  public static BloomException invalid(List<Violation> violations) {
    var first = violations.get(0);
    var more = violations.size() - 1;
    return invalid(
        "%s %s%s. Nothing was changed; correct it and repeat the request."
            .formatted(
                first.field(),
                first.message(),
                more == 0 ? "" : ", and %d more values are at fault".formatted(more)),
        violations);
  }

  /** Several values of the request are not acceptable, each told with its place. */
  public static BloomException invalid(String detail, List<Violation> violations) {
    return new BloomException(
        ErrorCode.INVALID_REQUEST, detail, new ProblemDetails.Violations(violations), null);
  }

  /** The name cannot be a filter's. It is not repeated: it may be anything, of any length. */
  public static BloomException invalidName() {
    return BloomException.of(
        ErrorCode.INVALID_REQUEST,
        "A filter name has 1 to 128 characters of A-Z a-z 0-9 . _ ~ : @ - and begins with a letter"
            + " or digit. Choose such a name.");
  }

  /**
   * The filter's hash scheme has no bits for an element.
   *
   * @param index of the element within the request, from 0
   * @param reason completes "the element ..."; never holds any of the element
   */
  public static BloomException unsupportedElement(int index, String reason) {
    return BloomException.of(
        ErrorCode.INVALID_REQUEST,
        "The element at index %d %s. Nothing was changed; correct it and repeat the request."
            .formatted(index, reason));
  }

  /** A header comes twice that decides who sends the request, and to whom. */
  public static BloomException headerTwice(Object header) {
    return BloomException.of(
        ErrorCode.INVALID_REQUEST,
        "The request has the header '%s' more than once. Send it once.".formatted(header));
  }

  /** There is nothing at the path of the request. */
  public static BloomException noSuchResource() {
    return BloomException.of(
        ErrorCode.NOT_FOUND,
        "There is nothing at this path, or a value in it is malformed. The paths are listed in"
            + " /q/swagger-ui.");
  }

  /** The path exists, the method is not one of its, which are given. */
  public static BloomException methodNotAllowed(String methods) {
    return BloomException.of(
        ErrorCode.METHOD_NOT_ALLOWED,
        "This path does not support the method of the request. Its methods are %s."
            .formatted(methods));
  }

  /**
   * The client does not accept what the operation answers with.
   *
   * @param sent the Accept header
   */
  public static BloomException notAcceptable(String sent, List<String> answers) {
    return BloomException.of(
        ErrorCode.NOT_ACCEPTABLE,
        "The Accept header '%s' excludes what this operation answers with, %s. Accept that, or leave the header out; with curl: %s."
            .formatted(
                shown(sent),
                String.join(" or ", answers),
                answers.stream().map("-H 'Accept: %s'"::formatted).collect(joining(" or "))));
  }

  /**
   * The body is, by its Content-Type, nothing that the operation takes.
   *
   * @param sent the Content-Type; empty if there is none
   */
  public static BloomException unsupportedType(Optional<String> sent, List<String> accepted) {
    return BloomException.of(
        ErrorCode.UNSUPPORTED_FORMAT,
        "%s, and this operation takes %s. Nothing was changed. Name what the body is; with curl: %s."
            .formatted(
                sent.map(type -> "The Content-Type is '%s'".formatted(shown(type)))
                    .orElse("The request has no Content-Type"),
                accepted.stream().map(RequestErrors::inUtf8).collect(joining(" or ")),
                accepted.stream().map(RequestErrors::curl).collect(joining(" or "))));
  }

  private static String inUtf8(String type) {
    return type.endsWith("/json") ? type + " in UTF-8" : type;
  }

  /** What curl takes by -d is stripped of line ends. */
  private static String curl(String type) {
    return "-H 'Content-Type: %s'".formatted(type)
        + (type.endsWith("/json") ? " -d '{...}'" : " --data-binary @FILE");
  }

  /** The body is compressed as no operation reads it. */
  public static BloomException unsupportedCoding(String sent) {
    return BloomException.of(
        ErrorCode.UNSUPPORTED_FORMAT,
        "The Content-Encoding is '%s', and bodies are taken as they are or in gzip. Nothing was changed. Send the body so; with curl: -H 'Content-Encoding: gzip' --data-binary @FILE.gz."
            .formatted(shown(sent)));
  }

  /** A header may be anything, of any length. */
  private static String shown(String header) {
    var shown = header.replaceAll("[^ -~]", "?");
    return shown.length() <= LONGEST_SHOWN ? shown : shown.substring(0, LONGEST_SHOWN) + "...";
  }

  /** A part of the request is larger than the service takes. */
  public static BloomException tooLarge(String detail) {
    return BloomException.of(ErrorCode.TOO_LARGE, detail);
  }

  /** A body of unknown length is longer than the service takes. */
  public static BloomException bodyTooLong(long limit) {
    return tooLarge(
        "The body has more than %d bytes, which is the limit. Send fewer elements in one request."
            .formatted(limit));
  }

  /** A value is valid in itself but beyond what the service allows. */
  public static BloomException limitExceeded(String detail) {
    return BloomException.of(ErrorCode.LIMIT_EXCEEDED, detail);
  }

  /** What the request would hold does not fit beside what others hold, and waiting did not help. */
  public static BloomException overloaded() {
    return BloomException.of(
        ErrorCode.OVERLOADED,
        "Requests hold all the memory that the service has for them. Repeat the request later, or"
            + " send fewer elements in one.");
  }

  /** The service was told to end and takes no more requests. */
  public static BloomException shuttingDown() {
    return BloomException.of(
        ErrorCode.SHUTTING_DOWN,
        "This instance is ending and takes no more requests. Nothing was done. Repeat the request"
            + " on a new connection, which leads to another instance or to this one when it is"
            + " back.");
  }

  /** A defect of the service; the cause is for the log, not for the client. */
  public static BloomException internal(String forTheLog, Throwable cause) {
    return new BloomException(ErrorCode.INTERNAL, forTheLog, null, cause);
  }
}
