package io.github.bloomgate.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.support.Found;
import io.github.bloomgate.support.ProjectFiles;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The documented Redis user may run exactly the commands that the scripts and the code use. */
class CommandsDocTest {

  private static final String SCRIPTS = "src/main/resources/lua";
  private static final Pattern CALL =
      Pattern.compile("\\b(?:p?call|typed|is_refused)\\(\\s*'([A-Z_]+)'");

  private static final String CODE = "src/main/java/io/github/bloomgate";
  private static final Pattern SENT = Pattern.compile("\\bCommand\\.([A-Z]{3,})\\b");

  /** The service's command line has a class of the same name. */
  private static final Path COMMAND_LINE = Path.of(CODE, "server", "command");

  /** The driver sends these when it connects. */
  private static final Set<String> HANDSHAKE = Set.of("HELLO", "PING", "SELECT");

  /** Sentinels have users of their own. */
  private static final Set<String> TO_SENTINELS = Set.of("SENTINEL", "SUBSCRIBE");

  @Test
  void theRedisUserMayRunEveryCommandOfTheService() {
    var used = new TreeSet<>(HANDSHAKE);
    used.addAll(in(SCRIPTS, CALL));
    used.addAll(in(CODE, SENT));
    used.removeAll(TO_SENTINELS);
    assertEquals(used, ProjectFiles.redisCommands());
  }

  private static Set<String> in(String folder, Pattern pattern) {
    return ProjectFiles.under(folder).stream()
        .filter(file -> !file.startsWith(COMMAND_LINE))
        .flatMap(file -> Found.in(ProjectFiles.text(file), pattern).stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
