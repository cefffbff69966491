package io.github.bloomgate.server.command;

import io.github.bloomgate.http.access.ApiKey;
import io.github.bloomgate.http.access.KeyToken;
import io.github.bloomgate.http.access.Role;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/** Creates an API key and prints it with its line for the keys file. */
final class NewKeyCommand {

  static final String NAME = "new-key";

  static final String USAGE =
      """
        new-key --role %s
                [--id <id>] [--prefix <prefix>]... [--max-filters <number>]
                [--max-bytes <bytes>] [--quiet]
            Prints a new API key, which is not stored, and its line for the keys file
            (bloomgate.security.keys-file) or for BLOOMGATE_SECURITY_KEYS. --prefix limits the key
            to filters whose names start with it; repeat it for several prefixes. --max-filters
            and --max-bytes limit what the key can create; bytes may end with K, M, G or T.
            --quiet prints only the key, and its line to standard error:
            export BLOOMGATE_KEY=$(java -jar quarkus-run.jar new-key --role admin --quiet 2>> keys)
      """
          .formatted(Role.names("|"));

  /** Safe to paste into a shell; the line without "# " belongs into the keys file. */
  private static final String EXPLAINED =
      """
      # The key, for the client. It is not stored anywhere.
      export BLOOMGATE_KEY='%1$s'
      # Its line, for the service. Set this where the service starts,
      export BLOOMGATE_SECURITY_KEYS='%2$s'
      # or add the line to the file that bloomgate.security.keys-file names:
      # echo '%2$s' >> keys
      """;

  private static final int RANDOM_IDS = 36 * 36 * 36 * 36 * 36;

  private NewKeyCommand() {}

  /**
   * Creates a key.
   *
   * @param error receives the line with --quiet
   * @throws IllegalArgumentException if the arguments are invalid
   */
  static String run(List<String> arguments, PrintStream error) {
    Role role = null;
    var id = Integer.toString(ThreadLocalRandom.current().nextInt(RANDOM_IDS), 36);
    var prefixes = new ArrayList<String>();
    var quota = new ArrayList<String>();
    var isQuiet = false;
    for (var rest = arguments.iterator(); rest.hasNext(); ) {
      var option = rest.next();
      switch (option) {
        case "--role" -> role = role(value(option, rest));
        case "--id" -> id = value(option, rest);
        case "--prefix" -> prefixes.add(value(option, rest));
        case "--max-filters" -> quota.add(ApiKey.MAX_FILTERS + value(option, rest));
        case "--max-bytes" -> quota.add(ApiKey.MAX_BYTES + value(option, rest));
        case "--quiet" -> isQuiet = true;
        default -> throw new IllegalArgumentException("There is no option " + option + ".");
      }
    }
    if (role == null) {
      throw new IllegalArgumentException("The option --role is missing.");
    }
    var token = KeyToken.create(id);
    var line = line(id, role, token, prefixes, quota);
    if (isQuiet) {
      error.println(line);
      return "%s%n".formatted(token);
    }
    return EXPLAINED.formatted(token, line);
  }

  private static String line(
      String id, Role role, String token, List<String> prefixes, List<String> quota) {
    try {
      return ApiKey.line(id, role, token, prefixes, quota.toArray(String[]::new));
    } catch (IllegalArgumentException invalid) {
      throw new IllegalArgumentException("The line " + invalid.getMessage() + ".", invalid);
    }
  }

  private static String value(String option, Iterator<String> rest) {
    if (!rest.hasNext()) {
      throw new IllegalArgumentException("The option " + option + " needs a value.");
    }
    return rest.next();
  }

  private static Role role(String name) {
    return Role.named(name.toLowerCase(Locale.ROOT))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "The role must be one of %s.".formatted(Role.names(", "))));
  }
}
