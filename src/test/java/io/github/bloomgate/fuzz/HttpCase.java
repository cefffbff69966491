package io.github.bloomgate.fuzz;

import io.github.bloomgate.support.Contract;
import java.util.Set;

/**
 * One request with its properties.
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
    /** A method that the path has not. */
    METHOD,
    /** A path that is nearly the one of the operation. */
    PATH,
    /** A name that no filter can have. */
    NAME,
    /** A parameter that does not exist. */
    UNKNOWN_PARAMETER,
    /** A parameter with a value of another kind, twice, or none. */
    PARAMETER,
    /** A percent encoding that is none. */
    PERCENT,
    /** An Accept header that leaves the answer out. */
    ACCEPT,
    /** Another media type than the body's, or another charset. */
    MEDIA_TYPE,
    /** A coding that the service does not know, or not the one of the body. */
    CODING,
    /** A body with other bytes than it should have. */
    BODY,
    /** Fewer bytes than announced. */
    CUT,
    /** A header that has no business there. */
    HEADER
  }

  boolean has(Flaw flaw) {
    return flaws.contains(flaw);
  }

  /** Whether no service may accept it. */
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
