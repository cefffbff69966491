package io.github.bloomgate.server.command;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.nio.file.Path;
import java.util.List;

/** Runs the service, or the command that the first argument names. */
@QuarkusMain
public class Bloomgate {

  /** As of programs that are called wrongly. */
  private static final int MISUSE = 2;

  private static final String USAGE =
      """
      Without an argument the service is run. Commands:
      """
          + NewKeyCommand.USAGE;

  /** Ends when the service is stopped, or the command is done. */
  public static void main(String... arguments) {
    if (arguments.length == 0) {
      SharedTemp.avoid(Path.of(System.getProperty("java.io.tmpdir")));
      Quarkus.run(arguments);
      return;
    }
    var rest = List.of(arguments).subList(1, arguments.length);
    try {
      if (!arguments[0].equals(NewKeyCommand.NAME)) {
        throw new IllegalArgumentException("There is no such command.");
      }
      System.out.print(NewKeyCommand.run(rest));
    } catch (IllegalArgumentException misused) {
      System.err.printf("%s%n%s", misused.getMessage(), USAGE);
      System.exit(MISUSE);
    }
  }
}
