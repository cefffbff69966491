package io.github.bloomgate.model.lines;

import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** What bytes are when they are not text in UTF-8, by how they begin. */
public enum FileSignature {
  GZIP("looks like gzip", "Send it with -H 'Content-Encoding: gzip'.", "\\x1F\\x8B\\x08"),
  ZSTD("looks like zstd", "Unpack it with: zstd -d.", "\\x28\\xB5\\x2F\\xFD"),
  XZ("looks like xz", "Unpack it with: xz -d.", "\\xFD7zXZ\\x00"),
  BZIP2("looks like bzip2", "Unpack it with: bzip2 -d.", "BZh[1-9](1AY&SY|\\x17rE8P\\x90)"),
  ZIP("looks like zip", "Unpack it with: unzip -p.", "PK(\\x03\\x04|\\x05\\x06|\\x07\\x08)"),
  UTF_32("looks like UTF-32", recode("UTF-32"), "\\xFF\\xFE\\x00\\x00|\\x00\\x00\\xFE\\xFF"),
  UTF_16("looks like UTF-16", recode("UTF-16"), "\\xFF\\xFE|\\xFE\\xFF"),
  UTF_32LE("looks like UTF-32", recode("UTF-32LE"), "[^\\x00]\\x00{3}"),
  UTF_32BE("looks like UTF-32", recode("UTF-32BE"), "\\x00{3}[^\\x00]"),
  UTF_16LE("looks like UTF-16", recode("UTF-16LE"), "([^\\x00]\\x00){2}"),
  UTF_16BE("looks like UTF-16", recode("UTF-16BE"), "(\\x00[^\\x00]){2}"),
  BINARY(
      "holds the byte NUL",
      "If it is UTF-16, recode it with: iconv -f UTF-16LE -t UTF-8. Send elements with that byte as"
          + " base64 or hex.",
      ".*?\\x00");

  /** How many bytes of a text are looked at. */
  static final int TEXT_BYTES = 1024;

  /** How many bytes of a packed file are looked at. */
  static final int PACKED_BYTES = 10;

  private static final Set<FileSignature> PACKED = EnumSet.range(GZIP, ZIP);

  private final String mistake;
  private final String remedy;
  private final Pattern beginning;

  FileSignature(String mistake, String remedy, String beginning) {
    this.mistake = mistake;
    this.remedy = remedy;
    this.beginning = Pattern.compile(beginning, Pattern.DOTALL);
  }

  /**
   * What the first bytes of a text show it to be instead; empty if they may be text.
   *
   * @param length how many bytes of the head are there
   */
  public static Optional<FileSignature> ofText(byte[] head, int length) {
    return among(EnumSet.allOf(FileSignature.class), head, length);
  }

  /** How a file is packed, whose first bytes may otherwise be any; empty if it is not. */
  static Optional<FileSignature> ofPacked(byte[] head, int length) {
    return among(PACKED, head, length);
  }

  private static Optional<FileSignature> among(
      Set<FileSignature> signatures, byte[] head, int length) {
    var text = new String(head, 0, Math.min(length, TEXT_BYTES), StandardCharsets.ISO_8859_1);
    return signatures.stream()
        .filter(signature -> signature.beginning.matcher(text).lookingAt())
        .findFirst();
  }

  /** The fault, to follow "The body" or "The source"; never holds any of the bytes. */
  public String mistake() {
    return mistake;
  }

  /** A sentence with what to do. */
  public String remedy() {
    return remedy;
  }

  private static String recode(String charset) {
    return "Recode it with: iconv -f %s -t UTF-8.".formatted(charset);
  }
}
