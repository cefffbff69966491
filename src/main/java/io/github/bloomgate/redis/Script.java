package io.github.bloomgate.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The Lua scripts of the service, in {@code lua/<name>.lua} on the classpath. */
public enum Script {
  /** Appends blocks to journals of segments, reads blocks of other instances, and confirms both. */
  ADVANCE,
  /** Updates the bitmap of a segment, in place or by a string that was written to another key. */
  FOLD,
  /** Tests or adds elements bit by bit, in segments or in content without header and journal. */
  BITS,
  /** Counts, reads or fills content without header and journal. */
  RAW,
  /** Creates a filter over a library's bitmap. */
  ADOPT,
  /** Creates a filter, or changes fields of its state. */
  WRITE,
  /** Reads a filter. */
  FIND,
  /** Sets or removes a filter's expiry. */
  EXPIRE,
  /** Empties a filter. */
  CLEAR,
  /** Deletes a filter. */
  DELETE,
  /** Sets the expiry of dropped segments. */
  DROP,
  /** Renames a filter. */
  RENAME,
  /** Opens a rebuild. */
  OPEN,
  /** Counts elements loaded by a rebuild, and extends its expiry. */
  LOADED,
  /** Replaces the live generation by the loaded one. */
  COMMIT,
  /** Ends a rebuild and discards its content. */
  ABORT,
  /** Adds a name to the catalogue, if the quotas allow it, or removes it. */
  CATALOGUE,
  /** Sets or removes a filter's source. */
  ATTACH,
  /** Claims the next run of a source, or renews or ends a claim. */
  CLAIM,
  /** Moves the next run of a source. */
  RESCHEDULE,
  /** Reads members of another program's key. */
  MEMBERS,
  /** Sets when a source is next checked, or lists names. */
  AGENDA;

  private static final String INCLUDE = "(?m)^-- include: ([a-z0-9/-]+)$";

  private final String text;
  private final String digest;

  Script() {
    text = withIncludes(read(fileName()));
    digest = sha1(text);
  }

  /** The file name without extension; also the label in metrics. */
  public String fileName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The full text, with includes resolved. */
  String text() {
    return text;
  }

  /** The SHA-1 of the text's UTF-8 bytes in lower-case hex. */
  String digest() {
    return digest;
  }

  /**
   * Replaces each line {@code -- include: state} by {@code lua/state.lua}, which must not include
   * anything itself.
   */
  static String withIncludes(String text) {
    return Pattern.compile(INCLUDE)
        .matcher(text)
        .replaceAll(line -> Matcher.quoteReplacement(included(line.group(1))));
  }

  private static String included(String name) {
    String part = read(name);
    if (Pattern.compile(INCLUDE).matcher(part).find()) {
      throw new IllegalStateException("lua/" + name + ".lua is included and includes another file");
    }
    return part.stripTrailing();
  }

  private static String read(String name) {
    String path = "lua/" + name + ".lua";
    try (InputStream in = Script.class.getClassLoader().getResourceAsStream(path)) {
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
