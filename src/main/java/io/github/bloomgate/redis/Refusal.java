package io.github.bloomgate.redis;

import static java.util.Map.entry;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Error replies with which Redis refuses to serve for now, each with a remedy.
 *
 * <p>The texts are ours, because texts of Redis and the driver may contain keys, elements or
 * passwords.
 */
final class Refusal {
  static final String REPLICA = "it is a replica; the hosts must name the primary";

  private static final String NO_PASSWORD =
      "it requires a password and none is configured; set quarkus.redis.password";
  private static final String DENIED =
      "its access rules deny the configured user a command or key that the request needs";
  private static final String IN_CLUSTER =
      "it is part of a cluster; set quarkus.redis.client-type=cluster";
  private static final String UNAUTHENTICATED = "Protocol error: unauthenticated";

  private static final Map<String, String> BY_CODE =
      Map.ofEntries(
          entry("READONLY", REPLICA),
          entry("LOADING", "it is still loading its data"),
          entry("MASTERDOWN", "it is a replica that has lost its primary"),
          entry("BUSY", "it is busy with another script"),
          entry("CLUSTERDOWN", "the cluster is down"),
          entry("TRYAGAIN", "the cluster is moving the keys"),
          entry("MOVED", IN_CLUSTER),
          entry("ASK", IN_CLUSTER),
          entry("MISCONF", "it cannot save its data and accepts no changes; see the log of Redis"),
          entry("NOREPLICAS", "it has fewer replicas than min-replicas-to-write requires"),
          entry("NOAUTH", NO_PASSWORD),
          entry(
              "WRONGPASS",
              "it rejects the configured password; correct quarkus.redis.hosts or quarkus.redis.password"),
          entry("NOPERM", DENIED),
          entry("DENIED", "it runs in protected mode and accepts local connections only"));

  /** Replies without a code. Those of Redis 6.2 and 7 to denied commands within scripts differ. */
  private static final Map<String, String> BY_TEXT =
      Map.of(
          "max number of clients",
          "it has reached its maxclients",
          UNAUTHENTICATED,
          NO_PASSWORD + " (NOAUTH)",
          "DB index is out of range",
          "it has no database of the number in quarkus.redis.hosts",
          "SELECT is not allowed in cluster mode",
          "a cluster has only database 0, but quarkus.redis.hosts names another",
          "cluster support disabled",
          "it is not part of a cluster; set quarkus.redis.client-type=standalone",
          "No such master with that name",
          "it watches no primary of the name in quarkus.redis.master-name",
          "Script killed by user",
          "an operator killed the running script before it changed anything",
          "without any password configured",
          "it has no password, but one is configured in quarkus.redis.hosts or quarkus.redis.password",
          "The user executing the script can't",
          DENIED + " (NOPERM)",
          "ACL failure in script",
          DENIED + " (NOPERM)");

  // Redis 6.2 puts the error of a command inside a script after its own: "ERR Error running script
  // (call to f_...): @user_script:1: @user_script: 1: -READONLY You can't ...".
  private static final Pattern IN_SCRIPT = Pattern.compile(" -([A-Z]+) ");

  private Refusal() {}

  /** The reason, as a clause about Redis, if an error reply is a refusal. */
  static Optional<String> reasonOf(String message) {
    String code = codeOf(message);
    return BY_TEXT.entrySet().stream()
        .filter(text -> message.contains(text.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .or(() -> Optional.ofNullable(BY_CODE.get(code)).map(reason -> reason + " (" + code + ")"));
  }

  /** Whether a reason lasts until a setting is corrected, which it names. */
  static boolean isBySettings(String reason) {
    return reason.contains("quarkus.redis.");
  }

  /** Whether the user has no right to a command or key. */
  static boolean isDenied(String message) {
    return reasonOf(message).filter(reason -> reason.startsWith(DENIED)).isPresent();
  }

  /**
   * Whether Redis requires a password. It answers requests with more than a few arguments by a
   * special error then, and closes the connection.
   */
  static boolean isLockedOut(String message) {
    return message.contains(UNAUTHENTICATED) || codeOf(message).equals("NOAUTH");
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
