package io.github.bloomgate.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The append-only file of a stopped Redis, which tests truncate as in a crash. */
public final class AppendOnlyFile {

  private static final String MULTI = "*1\r\n$5\r\nMULTI\r\n";
  private static final String EXEC = "*1\r\n$4\r\nEXEC\r\n";
  private static final String APPENDED = MULTI + "*3\r\n$6\r\nAPPEND\r\n";
  private static final Pattern ARGUMENTS = Pattern.compile("\\*(\\d+)\r\n");
  private static final Pattern LENGTH = Pattern.compile("\\$(\\d+)\r\n");

  private final Path file;

  public AppendOnlyFile(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      // Before Redis 7, there is only one file. Later versions give the newest one this name.
      this.file =
          files
              .filter(path -> path.toString().matches(".*(/appendonly\\.aof|\\.incr\\.aof)"))
              .findFirst()
              .orElseThrow();
    }
  }

  /**
   * Where each command ends in the last transaction that changed journals, including MULTI and
   * EXEC.
   */
  public List<Long> endsOfLastJournaled() throws IOException {
    String text = Files.readString(file, ISO_8859_1);
    int at = text.lastIndexOf(APPENDED);
    List<Long> ends = new ArrayList<>();
    String command;
    do {
      int begin = at;
      at = endOfCommand(text, at);
      command = text.substring(begin, at);
      ends.add((long) at);
    } while (!command.equals(EXEC));
    return ends;
  }

  /** The commands after the first bytes of the file, without MULTI and EXEC. */
  public List<String> commandsFrom(long length) throws IOException {
    String text = Files.readString(file, ISO_8859_1);
    List<String> commands = new ArrayList<>();
    int at = (int) length;
    while (at < text.length()) {
      int end = endOfCommand(text, at);
      String command = text.substring(at, end);
      if (!command.equals(MULTI) && !command.equals(EXEC)) {
        commands.add(command);
      }
      at = end;
    }
    return commands;
  }

  /** Truncates the file to a length, and appends some commands. */
  public void keep(long length, List<String> commands) throws IOException {
    cut(length);
    Files.writeString(file, String.join("", commands), ISO_8859_1, StandardOpenOption.APPEND);
  }

  public long length() throws IOException {
    return Files.size(file);
  }

  public byte[] bytes() throws IOException {
    return Files.readAllBytes(file);
  }

  public void restore(byte[] bytes) throws IOException {
    Files.write(file, bytes);
  }

  private static int endOfCommand(String text, int begin) {
    var arguments = ARGUMENTS.matcher(text).region(begin, text.length());
    if (!arguments.lookingAt()) {
      throw new IllegalStateException("no command at " + begin);
    }
    int at = arguments.end();
    for (int left = Integer.parseInt(arguments.group(1)); left > 0; left--) {
      var length = LENGTH.matcher(text).region(at, text.length());
      if (!length.lookingAt()) {
        throw new IllegalStateException("no argument at " + at);
      }
      at = length.end() + Integer.parseInt(length.group(1)) + "\r\n".length();
    }
    return at;
  }

  public void cut(long length) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(length);
    }
  }
}
