package io.github.bloomgate.redis;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import io.github.bloomgate.model.error.SeveralSlotsException;
import io.github.bloomgate.model.error.StoreErrors;
import io.netty.channel.ConnectTimeoutException;
import io.vertx.redis.client.impl.types.ErrorType;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/**
 * Classifies failures of the driver and translates them to errors.
 *
 * <p>The driver's exceptions are never used as message or cause, because their texts contain
 * command arguments, addresses and even passwords.
 */
enum LinkFailure {
  /** The connection was closed before the request was sent. */
  NEVER_SENT,
  /** The connection broke after the request was sent, which may have been executed. */
  LOST,
  /** Redis is a replica or requires a password, perhaps only since the connection was opened. */
  STALE,
  /** Redis or the driver refused this request; the connection is fine. */
  REFUSED;

  private static final int LONGEST_TEXT = 300;

  /** Redis in a reason. */
  private static final String REDIS = "it ";

  private static final String INVALID = "Redis command is not valid";

  /** Redis does not know the digest of a script, so nothing ran. Handled by the runner. */
  static final class ScriptMissing extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private ScriptMissing() {
      super("Redis does not know the script", null, false, false);
    }
  }

  static LinkFailure of(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    if (failure instanceof ErrorType) {
      if (message.equals("CONNECTION_CLOSED")) {
        return LOST;
      }
      return Refusal.isLockedOut(message) || Refusal.codeOf(message).equals("READONLY")
          ? STALE
          : REFUSED;
    }
    if (message.equals("Connection is closed")) {
      return NEVER_SENT;
    }
    return isRefusedByDriver(message) ? REFUSED : LOST;
  }

  /** Whether the failure is a reply from a Redis that serves this connection. */
  static boolean isServed(Throwable failure) {
    return failure instanceof ErrorType
        && of(failure) != LOST
        && !Refusal.isLockedOut(String.valueOf(failure.getMessage()));
  }

  /** The error for a refused request; its cause is a {@link Redirection} if that is the reason. */
  static RuntimeException refused(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    String code = Refusal.codeOf(message);
    if (code.equals("NOSCRIPT")) {
      return new ScriptMissing();
    }
    if (code.equals("OOM") || message.contains("OOM command not allowed")) {
      return StoreErrors.full();
    }
    if (code.equals("WRONGTYPE")) {
      return StoreErrors.wrongKeyType();
    }
    if (code.equals("CROSSSLOT")) {
      return new SeveralSlotsException();
    }
    if (isQueueFull(message)) {
      return StoreErrors.unavailable(
          "Too many requests are waiting for Redis. Repeat the request later.", null);
    }
    Optional<String> reason = Refusal.reasonOf(message);
    if (reason.isPresent()) {
      return StoreErrors.unavailable(
          "Redis does not serve the request: " + reason.get() + ".", causeOf(message));
    }
    return RequestErrors.internal(
        "Redis or its driver refused a request: " + withoutArguments(message), null);
  }

  private static RuntimeException causeOf(String message) {
    return Refusal.isDenied(message) ? new AccessDenied() : Redirection.of(message).orElse(null);
  }

  /**
   * The error for a request that was not sent.
   *
   * @param reason as from {@link #reasonOf}
   */
  static BloomException notSent(String reason) {
    if (Refusal.isBySettings(reason)) {
      return StoreErrors.unavailable(
          reason.startsWith(REDIS)
              ? "Redis " + reason.substring(REDIS.length()) + "."
              : "Redis cannot be used: " + reason + ".",
          null);
    }
    return StoreErrors.unavailable(
        "Redis cannot be reached: " + reason + ". Repeat the request later.", null);
  }

  /** The error for a request that was sent but got no reply. */
  static BloomException unanswered(Effect effect, String reason) {
    return effect == Effect.READ
        ? StoreErrors.unavailable(
            "Redis did not answer: " + reason + ". Repeat the request later.", null)
        : StoreErrors.outcomeUnknown("Redis did not confirm the change: " + reason + ".", null);
  }

  /** The reason why a connection failed, as a clause without names or addresses. */
  static String reasonOf(Throwable failure) {
    if (failure instanceof NoPrimaryException) {
      return failure.getMessage();
    }
    if (failure instanceof UnknownHostException) {
      return "its host name cannot be resolved";
    }
    if (failure instanceof TimeoutException || failure instanceof ConnectTimeoutException) {
      return "it did not complete the handshake in time";
    }
    // Redis refuses a client's certificate after the handshake, while the client decodes.
    if (failure instanceof SSLException || failure.getCause() instanceof SSLException) {
      return "the TLS handshake failed";
    }
    if (failure instanceof ConnectException) {
      return "it does not accept connections";
    }
    if (failure instanceof ClosedChannelException) {
      return "it closed the connection";
    }
    if (failure instanceof IOException) {
      return "the connection broke";
    }
    if (failure instanceof ErrorType) {
      if (of(failure) == LOST) {
        return "it closed the connection";
      }
      String message = String.valueOf(failure.getMessage());
      return Refusal.reasonOf(message)
          .orElseGet(() -> "it refused the handshake (" + Refusal.codeOf(message) + ")");
    }
    return "no connection could be made (" + failure.getClass().getSimpleName() + ")";
  }

  private static boolean isQueueFull(String message) {
    return message.equals("Redis waiting queue is full");
  }

  // The driver's checks before it sends anything.
  private static boolean isRefusedByDriver(String message) {
    return isQueueFull(message) || message.startsWith(INVALID);
  }

  // Keeps Redis's messages about our scripts, but not the driver's, which quote the command.
  private static String withoutArguments(String message) {
    String text = message;
    int arguments = text.indexOf(", with args beginning with");
    if (arguments >= 0) {
      text = text.substring(0, arguments);
    }
    if (isRefusedByDriver(message)) {
      text = INVALID;
    }
    return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT);
  }
}
