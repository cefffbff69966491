package io.github.bloomgate.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.SeveralSlotsException;
import io.vertx.core.impl.NoStackTraceThrowable;
import io.vertx.redis.client.impl.types.ErrorType;
import java.net.ConnectException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The wording of error replies of Redis 6.2, of later versions, and of the driver. */
class LinkFailureTest {
  private static final String IN_SCRIPT_6_2 =
      "ERR Error running script (call to f_4ca238f611c9d0ae4e9a75a5dbac22aedc1e44e4):"
          + " @user_script:1: @user_script: 1: -";
  private static final String IN_SCRIPT_7 =
      " script: 4ca238f611c9d0ae4e9a75a5dbac22aedc1e44e4, on @user_script:1.";

  @ParameterizedTest
  @CsvSource({
    "OOM command not allowed when used memory > 'maxmemory'., STORE_FULL",
    "READONLY You can't write against a read only replica., STORE_UNAVAILABLE",
    "MISCONF Redis is configured to save RDB snapshots, STORE_UNAVAILABLE",
    "NOPERM this user has no permissions to run the 'get' command, STORE_UNAVAILABLE",
    "MASTERDOWN Link with MASTER is down, STORE_UNAVAILABLE",
    "NOREPLICAS Not enough good replicas to write., STORE_UNAVAILABLE",
    "WRONGTYPE Operation against a key holding the wrong kind of value, WRONG_KEY_TYPE",
  })
  void errorsWithinAScriptCountLikeErrorsOfACommand(String error, ErrorCode code) {
    assertEquals(code, refusedCode(error));
    assertEquals(code, refusedCode(IN_SCRIPT_6_2 + error));
    assertEquals(code, refusedCode(error + IN_SCRIPT_7));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LOADING Redis is loading the dataset in memory",
        "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
        "CLUSTERDOWN Hash slot not served",
        "TRYAGAIN Multiple keys request during rehashing of slot",
        "NOAUTH Authentication required.",
        "WRONGPASS invalid username-password pair or user is disabled.",
        "ERR AUTH <password> called without any password configured for the default user.",
        "ERR max number of clients reached",
        "DENIED Redis is running in protected mode",
        "@user_script: 83: The user executing the script can't run this command or subcommand",
        "ERR ACL failure in script: User u has no permissions to run the 'hmget' command script: x",
        "ERR This instance has cluster support disabled",
        "ERR DB index is out of range",
        "ERR SELECT is not allowed in cluster mode",
        "MOVED 3999 10.0.0.1:6381",
        "ASK 3999 10.0.0.1:6381"
      })
  void refusalsAreUnavailableAndHideTheTextOfRedis(String error) {
    BloomException failure = refused(ErrorType.create(error));
    assertEquals(ErrorCode.STORE_UNAVAILABLE, failure.code());
    assertFalse(failure.getMessage().contains("10.0.0.1"), failure.getMessage());
    assertFalse(String.valueOf(failure.getCause()).contains("10.0.0.1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NOSCRIPT No matching script. Please use EVAL.",
        "NOSCRIPT No matching script. Please use EVAL"
      })
  void anUnknownDigestIsForTheRunner(String error) {
    assertInstanceOf(LinkFailure.ScriptMissing.class, LinkFailure.refused(ErrorType.create(error)));
  }

  @Test
  void lostAndUnsentRequestsAreDistinguished() {
    assertEquals(LinkFailure.LOST, LinkFailure.of(ErrorType.create("CONNECTION_CLOSED")));
    assertEquals(LinkFailure.LOST, LinkFailure.of(new ConnectException("Connection reset")));
    assertEquals(
        LinkFailure.NEVER_SENT, LinkFailure.of(new NoStackTraceThrowable("Connection is closed")));
    assertEquals(
        LinkFailure.REFUSED,
        LinkFailure.of(new NoStackTraceThrowable("Redis waiting queue is full")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Redis command is not valid, check https://redis.io/commands: EVALSHA secret",
        "ERR unknown command 'FOO', with args beginning with: 'secret',",
        "ERR unknown command `FOO`, with args beginning with: `secret`,"
      })
  void noErrorQuotesTheCommand(String message) {
    Throwable cause =
        message.startsWith("ERR") ? ErrorType.create(message) : new NoStackTraceThrowable(message);
    assertEquals(LinkFailure.REFUSED, LinkFailure.of(cause));
    BloomException failure = refused(cause);
    assertEquals(ErrorCode.INTERNAL, failure.code());
    assertFalse(failure.getMessage().contains("secret"), failure.getMessage());
    assertNull(failure.getCause());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          WRONGPASS invalid username-password pair | Redis rejects the configured password; correct quarkus.redis.hosts or quarkus.redis.password (WRONGPASS).
          NOAUTH Authentication required. | Redis requires a password and none is configured; set quarkus.redis.password (NOAUTH).
          LOADING Redis is loading the dataset in memory | Redis cannot be reached: it is still loading its data (LOADING). Repeat the request later.
          """)
  void aRequestIsOnlyToBeRepeatedIfNoSettingIsWrong(String error, String detail) {
    var reason = LinkFailure.reasonOf(ErrorType.create(error));
    assertEquals(detail, LinkFailure.notSent(reason).getMessage());
    var ofSentinels = "no sentinel names the primary: " + reason;
    assertEquals(
        detail.contains("Repeat"),
        LinkFailure.notSent(ofSentinels).getMessage().contains("Repeat"));
  }

  private static ErrorCode refusedCode(String error) {
    return refused(ErrorType.create(error)).code();
  }

  private static BloomException refused(Throwable failure) {
    return assertInstanceOf(BloomException.class, LinkFailure.refused(failure));
  }

  @Test
  void keysOfSeveralSlotsAreDetected() {
    var failure = ErrorType.create("CROSSSLOT Keys in request don't hash to the same slot");
    assertInstanceOf(SeveralSlotsException.class, LinkFailure.refused(failure));
  }

  @Test
  void aRefusedCertificateIsAFailedHandshake() {
    var refused = new SSLHandshakeException("Received fatal alert: certificate_required");
    assertEquals("the TLS handshake failed", LinkFailure.reasonOf(refused));
    assertEquals(
        "the TLS handshake failed", LinkFailure.reasonOf(new IllegalStateException(refused)));
  }
}
