package io.github.bloomgate.redis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Observes scripts in Redis with {@code MONITOR}. Estimates the work of each call from its commands
 * and the bytes that they process, because time depends on the load of the machine.
 */
public final class ScriptWork implements AutoCloseable {

  /** The approximate time of a command in a script, such as SETBIT. */
  private static final double MICROS_PER_COMMAND = 0.5;

  /** The approximate time to copy a byte. Counting its bits takes a third of that. */
  private static final double MICROS_PER_BYTE = 0.0002;

  private static final double COUNTED = 0.3;

  /** EVALSHA, the digest and the number of keys come first. */
  private static final int FIRST_KEY = 3;

  /** Longer arguments are bytes, and only their length matters. */
  private static final int LONGEST_TEXT = 1 << 15;

  private final TestRedis redis;
  private final Socket socket;
  private final BufferedReader lines;

  /**
   * One call of a script.
   *
   * @param micros approximate time in microseconds
   * @param keys declared keys
   * @param used keys of its commands
   */
  public record Call(Script script, double micros, List<String> keys, Set<String> used) {}

  public ScriptWork(TestRedis redis) {
    this.redis = redis;
    try {
      socket = new Socket(InetAddress.getLoopbackAddress(), redis.port());
      lines =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
      socket.getOutputStream().write("MONITOR\r\n".getBytes(StandardCharsets.US_ASCII));
      if (!lines.readLine().equals("+OK")) {
        throw new IllegalStateException("MONITOR was refused");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The calls of scripts since the last use of this method. */
  public List<Call> calls() {
    var end = UUID.randomUUID().toString();
    redis.command("ECHO", end);
    var calls = new ArrayList<Call>();
    Open open = null;
    for (var line = next(); !line.contains(end); line = next()) {
      var arguments = arguments(line);
      var command = arguments.get(0).text().toUpperCase(Locale.ROOT);
      if (line.contains(" lua] ")) {
        open.ran(command, arguments);
      } else {
        add(calls, open);
        var isScript = command.startsWith("EVAL");
        open = isScript ? new Open(TestLink.scriptOf(arguments.get(1).text()), arguments) : null;
      }
    }
    add(calls, open);
    return calls;
  }

  /** The names of the requests since the last call, with file names for scripts. */
  public List<String> requests() {
    var end = UUID.randomUUID().toString();
    redis.command("ECHO", end);
    var requests = new ArrayList<String>();
    for (var line = next(); !line.contains(end); line = next()) {
      if (!line.contains(" lua] ")) {
        var arguments = arguments(line);
        var command = arguments.get(0).text();
        requests.add(
            command.toUpperCase(Locale.ROOT).startsWith("EVAL")
                ? TestLink.scriptOf(arguments.get(1).text()).fileName()
                : command);
      }
    }
    return requests;
  }

  private static void add(List<Call> calls, Open open) {
    if (open != null) {
      calls.add(new Call(open.script, open.micros, open.keys, open.used));
    }
  }

  private String next() {
    try {
      return lines.readLine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Parses bytes, because checking each character of a line of megabytes takes several times as
   * long. Valkey 8.1 does not escape quotes and backslashes, so a quote ends an argument only
   * before another one.
   */
  private static List<Argument> arguments(String line) {
    var arguments = new ArrayList<Argument>();
    var bytes = line.getBytes(StandardCharsets.ISO_8859_1);
    for (var i = line.indexOf('"') + 1; i > 0 && i < bytes.length; ) {
      var next = line.indexOf("\" \"", i);
      var end = next < 0 ? bytes.length - 1 : next;
      var text = new StringBuilder();
      var length = 0;
      for (; i < end; length++) {
        var c = bytes[i];
        if (c == '\\') {
          c = bytes[i + 1] == 'n' ? (byte) '\n' : bytes[i + 1];
          i += c == 'x' ? 4 : 2;
        } else {
          i++;
        }
        if (length < LONGEST_TEXT) {
          text.append((char) (c & 0xff));
        }
      }
      arguments.add(new Argument(text.toString(), length));
      i = end + 3;
    }
    return arguments;
  }

  /** The relevant part of an argument, and its length in bytes. */
  private record Argument(String text, int length) {
    private long number() {
      return Long.parseLong(text);
    }
  }

  /** A call that may have more commands. */
  private static final class Open {
    private final Script script;
    private final List<String> keys;
    private final Set<String> used = new HashSet<>();
    private final Map<String, Long> lengths = new HashMap<>();
    private double micros;

    private Open(Script script, List<Argument> arguments) {
      this.script = script;
      var first = FIRST_KEY;
      this.keys =
          arguments.subList(first, first + (int) arguments.get(first - 1).number()).stream()
              .map(Argument::text)
              .toList();
      arguments.forEach(argument -> micros += argument.length * MICROS_PER_BYTE);
    }

    private void ran(String command, List<Argument> arguments) {
      used.addAll(keysOf(command, arguments));
      micros +=
          operations(command, arguments) * MICROS_PER_COMMAND
              + bytes(command, arguments) * MICROS_PER_BYTE;
    }

    private static List<String> keysOf(String command, List<Argument> arguments) {
      var keys =
          switch (command) {
            case "TIME", "INFO" -> 0;
            case "RENAME" -> 2;
            case "BITOP" -> arguments.size() - 2;
            case "DEL", "UNLINK", "EXISTS" -> arguments.size() - 1;
            default -> 1;
          };
      // BITOP has its operation in front of the keys, and MEMORY has USAGE.
      var first = command.equals("BITOP") || command.equals("MEMORY") ? 2 : 1;
      return arguments.subList(first, first + keys).stream().map(Argument::text).toList();
    }

    /**
     * Each field of a BITFIELD (operation, type, offset) takes as long as a SETBIT. So does each
     * key of a command that looks up many.
     */
    private static int operations(String command, List<Argument> arguments) {
      return switch (command) {
        case "BITFIELD_RO" -> (arguments.size() - 2) / 3;
        case "BITFIELD" -> (arguments.size() - 2) / 4;
        case "DEL", "UNLINK", "EXISTS" -> keysOf(command, arguments).size();
        default -> 1;
      };
    }

    private double bytes(String command, List<Argument> arguments) {
      return switch (command) {
        case "SET", "SETRANGE" -> {
          var length = (long) arguments.get(arguments.size() - 1).length;
          lengths.put(arguments.get(1).text, length);
          yield length;
        }
        // Setting the last bit to 0 allocates the bitmap.
        case "SETBIT" ->
            arguments.get(3).text.equals("0") ? arguments.get(2).number() / Byte.SIZE : 0;
        case "GETRANGE" -> arguments.get(3).number() - arguments.get(2).number() + 1;
        case "BITCOUNT" -> COUNTED * (arguments.get(3).number() - arguments.get(2).number() + 1);
        case "GET" -> lengths.getOrDefault(arguments.get(1).text, 0L);
        case "BITOP" -> lengths.get(arguments.get(2).text);
        case "ZRANGEBYSCORE" -> arguments.get(arguments.size() - 1).number() * Byte.SIZE;
        default -> 0;
      };
    }
  }
}
