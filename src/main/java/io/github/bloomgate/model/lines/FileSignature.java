package io.github.bloomgate.model.lines;

import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Recognises content other than UTF-8 text by its first bytes. */
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

  static final int TEXT_BYTES = 1024;

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
   * Recognises content that should be text; empty if it may be text.
   *
   * @param length the valid bytes of the head
   */
  public static Optional<FileSignature> ofText(byte[] head, int length) {
    return among(EnumSet.allOf(FileSignature.class), head, length);
  }

  /** Recognises compressed files; empty if the file is not compressed. */
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

  /** Completes "The body ..." or "The source ..."; never contains any of the bytes. */
  public String mistake() {
    return mistake;
  }

  public String remedy() {
    return remedy;
  }

  private static String recode(String charset) {
    return "Recode it with: iconv -f %s -t UTF-8.".formatted(charset);
  }
}
