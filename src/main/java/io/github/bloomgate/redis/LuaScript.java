package io.github.bloomgate.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of a script and its digest. Immutable.
 *
 * @param text the full text, with includes resolved
 * @param digest the SHA-1 of the text's UTF-8 bytes in lower-case hex
 */
public record LuaScript(String text, String digest) {
  private static final Pattern INCLUDE =
      Pattern.compile("^-- include: ([a-z0-9/-]+)$", Pattern.MULTILINE);

  /**
   * Reads a script from the classpath. A line {@code -- include: state} is replaced by {@code
   * lua/state.lua}, which must not include anything itself.
   *
   * @throws IllegalStateException if a file is missing or an included file includes another one
   */
  static LuaScript load(Script script) {
    String text = withIncludes(read(script.fileName()));
    return new LuaScript(text, sha1(text));
  }

  static String withIncludes(String text) {
    return INCLUDE
        .matcher(text)
        .replaceAll(line -> Matcher.quoteReplacement(included(line.group(1))));
  }

  private static String included(String name) {
    String part = read(name);
    if (INCLUDE.matcher(part).find()) {
      throw new IllegalStateException("lua/" + name + ".lua is included and includes another file");
    }
    return part.stripTrailing();
  }

  private static String read(String name) {
    String path = "lua/" + name + ".lua";
    try (InputStream in = LuaScript.class.getClassLoader().getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalStateException(path + " is not on the classpath");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String sha1(String text) {
    try {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-1", e);
    }
  }
}
