package io.github.bloomgate.redis;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Error replies with which Redis refuses to serve for now, each with a remedy.
 *
 * <p>The texts are ours, because texts of Redis and the driver may contain keys, elements or
 * passwords.
 */
enum Refusal {
  READONLY("it is a replica; the hosts must name the primary"),
  LOADING("it is still loading its data"),
  MASTERDOWN("it is a replica that has lost its primary"),
  BUSY("it is busy with another script"),
  CLUSTERDOWN("the cluster is down"),
  TRYAGAIN("the cluster is moving the keys"),
  MOVED("it is part of a cluster; set quarkus.redis.client-type=cluster"),
  ASK("it is part of a cluster; set quarkus.redis.client-type=cluster"),
  MISCONF("it cannot save its data and accepts no changes; see the log of Redis"),
  NOREPLICAS("it has fewer replicas than min-replicas-to-write requires"),
  NOAUTH("it requires a password and none is configured"),
  WRONGPASS("it does not accept the configured user and password"),
  NOPERM("its access rules deny the configured user a command or key that the request needs"),
  DENIED("it runs in protected mode and accepts local connections only");

  // Redis 6.2 puts the error of a command inside a script after its own: "ERR Error running script
  // (call to f_...): @user_script:1: @user_script: 1: -READONLY You can't ...".
  private static final Pattern IN_SCRIPT = Pattern.compile(" -([A-Z]+) ");
  private static final String MAX_CLIENTS = "max number of clients";
  private static final String UNAUTHENTICATED = "Protocol error: unauthenticated";
  private static final String NO_CLUSTER = "cluster support disabled";
  private static final String KILLED = "Script killed by user";

  // Replies of Redis 6.2 and 7 to denied commands within scripts, which have no code.
  private static final List<String> FORBIDDEN_TO_SCRIPTS =
      List.of("The user executing the script can't", "ACL failure in script");

  private final String reason;

  Refusal(String reason) {
    this.reason = reason;
  }

  /** The reason, as a clause about Redis, if an error reply is a refusal. */
  static Optional<String> reasonOf(String message) {
    if (message.contains(MAX_CLIENTS)) {
      return Optional.of("it has reached its maxclients");
    }
    if (isLockedOut(message)) {
      return Optional.of(NOAUTH.reason + " (NOAUTH)");
    }
    if (message.contains(NO_CLUSTER)) {
      return Optional.of("it is not part of a cluster; set quarkus.redis.client-type=standalone");
    }
    if (message.contains(KILLED)) {
      return Optional.of("an operator killed the running script before it changed anything");
    }
    if (FORBIDDEN_TO_SCRIPTS.stream().anyMatch(message::contains)) {
      return Optional.of(NOPERM.reason + " (NOPERM)");
    }
    String code = codeOf(message);
    for (Refusal refusal : values()) {
      if (refusal.name().equals(code)) {
        return Optional.of(refusal.reason + " (" + code + ")");
      }
    }
    return Optional.empty();
  }

  /**
   * Whether Redis requires a password. It answers requests with more than a few arguments by a
   * special error then, and closes the connection.
   */
  static boolean isLockedOut(String message) {
    return message.contains(UNAUTHENTICATED) || codeOf(message).equals(NOAUTH.name());
  }

  /** The code of an error reply, or of the reply to a command within a script. */
  static String codeOf(String message) {
    if (message.startsWith("ERR Error running script")) {
      Matcher inner = IN_SCRIPT.matcher(message);
      if (inner.find()) {
        return inner.group(1);
      }
    }
    int end = message.indexOf(' ');
    return end < 0 ? message : message.substring(0, end);
  }
}
