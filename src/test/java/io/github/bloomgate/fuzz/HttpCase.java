package io.github.bloomgate.fuzz;

import io.github.bloomgate.support.Contract;
import java.util.Set;

/**
 * A request with its properties.
 *
 * @param index its number in the run
 * @param operation the operation of the contract
 * @param request all its bytes
 * @param endsConnection whether the client closes its side after the request
 * @param onKept whether its filter must not change if it is refused
 * @param flaws its faults
 */
record HttpCase(
    long index,
    Contract.Operation operation,
    byte[] request,
    boolean endsConnection,
    boolean onKept,
    Set<Flaw> flaws) {

  enum Flaw {
    /** A method that the path does not have. */
    METHOD,
    /** A path that resembles the operation's path. */
    PATH,
    /** An invalid filter name. */
    NAME,
    /** A parameter that does not exist. */
    UNKNOWN_PARAMETER,
    /** A parameter with a value of another type, twice, or without a value. */
    PARAMETER,
    /** Invalid percent-encoding. */
    PERCENT,
    /** An Accept header that excludes the response's media type. */
    ACCEPT,
    /** A media type or charset that does not match the body. */
    MEDIA_TYPE,
    /** A content coding that the service does not support, or that does not match the body. */
    CODING,
    /** A body with altered bytes. */
    BODY,
    /** Fewer bytes than declared. */
    CUT,
    /** A header that does not belong there. */
    HEADER
  }

  boolean has(Flaw flaw) {
    return flaws.contains(flaw);
  }

  boolean mustFail() {
    return has(Flaw.METHOD)
        || has(Flaw.NAME)
        || has(Flaw.CUT)
        || (has(Flaw.UNKNOWN_PARAMETER) && !operation.query().isEmpty());
  }

  boolean isHead() {
    return new String(request, 0, 4, java.nio.charset.StandardCharsets.ISO_8859_1).equals("HEAD");
  }
}
