package io.github.bloomgate.server.command;

import io.github.bloomgate.config.Exposure;
import io.quarkus.runtime.ApplicationLifecycleManager;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.annotations.QuarkusMain;
import io.smallrye.config.SmallRyeConfig;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jboss.logging.Logger;

/** Runs the service, or the command that the first argument names. */
@QuarkusMain
public class Bloomgate {

  private static final Logger LOG = Logger.getLogger(Bloomgate.class);

  private static final int FAILURE = 1;

  private static final int MISUSE = 2;

  /** Netty reads this property on first use. */
  private static final String NO_LIBRARY = "io.netty.transport.noNative";

  private static final String USAGE =
      """
      Usage: bin/bloomgate [-Dsetting=value]... [command]
         or: java [-Dsetting=value]... -jar quarkus-run.jar [command]

      Without a command, the service starts. Commands:
      """
          + NewKeyCommand.USAGE
          + HealthCommand.USAGE
          + BuildCommand.USAGE
          + """
        --version
            Prints the version.
        --help
            Prints this help and all settings.
      """;

  private static final String SETTINGS =
      """

      Settings are system properties (-Dbloomgate.redis.call-timeout=1s before the command), environment
      variables (BLOOMGATE_REDIS_CALL_TIMEOUT=1s) or lines of config/application.properties in the
      working directory. With their defaults:

      """;

  /** Returns when the service is stopped or the command is done. */
  public static void main(String... arguments) {
    if (arguments.length == 0) {
      serve();
      return;
    }
    try {
      System.out.print(command(arguments[0], List.of(arguments)));
    } catch (IllegalArgumentException misused) {
      // With --quiet, standard error may be appended to the keys file, where this line is a
      // comment.
      System.err.printf(
          "# %s For the usage: java -jar quarkus-run.jar --help%n", misused.getMessage());
      System.exit(MISUSE);
    } catch (IOException notReady) {
      System.err.println(notReady.getMessage());
      System.exit(FAILURE);
    }
  }

  private static String command(String name, List<String> arguments) throws IOException {
    if (arguments.contains("--help") || arguments.contains("-h") || name.equals("help")) {
      return help();
    }
    if (name.equals("--version")) {
      return "Bloomgate %s%n".formatted(version());
    }
    if (name.equals(NewKeyCommand.NAME)) {
      return NewKeyCommand.run(arguments.subList(1, arguments.size()), System.err);
    }
    if (name.equals(HealthCommand.NAME)) {
      return HealthCommand.run(arguments.subList(1, arguments.size()), ConfigProvider.getConfig());
    }
    if (name.equals(BuildCommand.NAME)) {
      return BuildCommand.run(
          arguments.subList(1, arguments.size()), ConfigProvider.getConfig(), System.err);
    }
    throw new IllegalArgumentException(
        name.startsWith("-D")
            ? "Settings such as %s go before -jar.".formatted(name)
            : "There is no command %s.".formatted(name));
  }

  private static String help() {
    return SettingsPage.rows().stream()
        .map(SettingsPage.Row::print)
        .collect(Collectors.joining("", USAGE + SETTINGS, ""));
  }

  /** Tests run classes without a package. */
  private static String version() {
    var version = Bloomgate.class.getPackage().getImplementationVersion();
    return version == null ? "(not packaged)" : version;
  }

  private static void serve() {
    var settings = checkedSettings();
    if (!settings.faults().isEmpty()) {
      settings.faults().forEach(System.err::println);
      System.err.println(
          "The service did not start. All settings: java -jar quarkus-run.jar --help");
      System.exit(FAILURE);
    }
    settings.warnings().forEach(warning -> LOG.warnf("A setting has no effect: %s", warning));
    avoidUnsafe(Path.of(System.getProperty("java.io.tmpdir")));
    Quarkus.run(null, Bloomgate::end);
  }

  /**
   * Netty's native library is briefly stored in the temporary folder while it is loaded, unless it
   * is installed. Does not use a folder in which other accounts can rename files.
   */
  private static void avoidUnsafe(Path folder) {
    if (Boolean.getBoolean(NO_LIBRARY) || isLibraryInstalled()) {
      return;
    }
    try {
      if (Exposure.isUnsafeToShare(folder)) {
        System.setProperty(NO_LIBRARY, "true");
        LOG.warnf(
            "Other accounts can replace files in the temporary folder %s, so no library is loaded from there, and the embedded redis-server uses a loopback port: run chmod +t on it, or set another with -Djava.io.tmpdir",
            folder);
      }
    } catch (IOException unknown) {
      LOG.debug("The temporary folder cannot be examined, so it cannot be used", unknown);
    }
  }

  /** Whether Netty's library is in a folder of Java's library path, where Netty looks first. */
  private static boolean isLibraryInstalled() {
    var processor = System.getProperty("os.arch").equals("amd64") ? "x86_64" : "aarch_64";
    var file = System.mapLibraryName("netty_transport_native_epoll_" + processor);
    return Stream.of(System.getProperty("java.library.path").split(File.pathSeparator, -1))
        .anyMatch(folder -> Files.isReadable(Path.of(folder, file)));
  }

  private static SettingsCheck checkedSettings() {
    try {
      return SettingsCheck.of(ConfigProvider.getConfig(), System.getenv());
    } catch (IllegalArgumentException unreadable) {
      var reason = unreadable.getMessage().replaceFirst("^SRCFG\\d+: ", "");
      return new SettingsCheck(
          List.of(
              "The settings cannot be read: %s. Correct config/application.properties, where a backslash is written as \\\\, or the setting that this line names."
                  .formatted(reason)),
          List.of());
    }
  }

  /** Called when the service has ended, with a failure if it did not start. */
  private static void end(int status, Throwable failure) {
    if (failure != null) {
      StartFailure.log(failure, ConfigProvider.getConfig().unwrap(SmallRyeConfig.class));
    }
    // In dev mode this does not end the JVM.
    ApplicationLifecycleManager.getDefaultExitCodeHandler().accept(status, failure);
  }
}
