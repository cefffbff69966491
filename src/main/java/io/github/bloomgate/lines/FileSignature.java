package io.github.bloomgate.lines;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
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
  SEVEN_ZIP("looks like 7z", "Unpack it with: 7z e -so.", "7z\\xBC\\xAF\\x27\\x1C"),
  RAR("looks like rar", "Unpack it with: unrar p.", "Rar!\\x1A\\x07"),
  LZ4("looks like lz4", "Unpack it with: lz4 -d.", "\\x04\\x22\\x4D\\x18"),
  ZIP("looks like zip", "Unpack it with: unzip -p.", "PK(\\x03\\x04|\\x05\\x06|\\x07\\x08)"),
  UTF_32("looks like UTF-32", recode("UTF-32"), "\\xFF\\xFE\\x00\\x00|\\x00\\x00\\xFE\\xFF"),
  UTF_16("looks like UTF-16", recode("UTF-16"), "\\xFF\\xFE|\\xFE\\xFF"),
  UTF_32LE("looks like UTF-32", recode("UTF-32LE"), "[^\\x00]\\x00{3}"),
  UTF_32BE("looks like UTF-32", recode("UTF-32BE"), "\\x00{3}[^\\x00]"),
  UTF_16LE("looks like UTF-16", recode("UTF-16LE"), "([^\\x00]\\x00){2}"),
  UTF_16BE("looks like UTF-16", recode("UTF-16BE"), "(\\x00[^\\x00]){2}"),
  TAR("looks like a tar archive", "Unpack it with: tar -xO.", ".{257}ustar"),
  BINARY(
      "holds the byte NUL",
      "If it is UTF-16, recode it with: iconv -f UTF-16LE -t UTF-8. Send elements with that byte as"
          + " base64 or hex.",
      ".*?\\x00");

  static final int TEXT_BYTES = 1024;

  static final int PACKED_BYTES = 10;

  private static final Set<FileSignature> PACKED = EnumSet.range(GZIP, ZIP);

  /** Bytes of other text rarely look like this many East Asian characters of UTF-16. */
  private static final int EAST_ASIAN_CHARS = 16;

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
    return among(EnumSet.allOf(FileSignature.class), head, length)
        .or(() -> eastAsian(head, length));
  }

  /**
   * Recognises East Asian text in UTF-16 without a mark, which has no NUL. It is not UTF-8, and
   * contains control characters, or kana in every second place: text in other encodings, such as
   * Latin-1 or Shift JIS, has neither.
   */
  private static Optional<FileSignature> eastAsian(byte[] head, int length) {
    var bytes = 2 * EAST_ASIAN_CHARS;
    if (length < bytes || isUtf8(head, bytes)) {
      return Optional.empty();
    }
    return isEastAsian(head, 1)
        ? Optional.of(UTF_16LE)
        : isEastAsian(head, 0) ? Optional.of(UTF_16BE) : Optional.empty();
  }

  /**
   * @param highByte the place of the high byte of each character, 0 or 1
   */
  private static boolean isEastAsian(byte[] head, int highByte) {
    var kana = 0;
    var han = 0;
    var hangul = 0;
    var controls = 0;
    for (var i = 0; i < 2 * EAST_ASIAN_CHARS; i += 2) {
      var high = Byte.toUnsignedInt(head[i + highByte]);
      var low = Byte.toUnsignedInt(head[i + 1 - highByte]);
      kana += high == 0x30 ? 1 : 0;
      han += (high >= 0x4E && high <= 0x9F) || high == 0xFF ? 1 : 0;
      hangul += high >= 0xAC && high <= 0xD7 ? 1 : 0;
      controls += low < ' ' && low != '\t' && low != '\n' && low != '\r' ? 1 : 0;
    }
    return (kana + han == EAST_ASIAN_CHARS || hangul == EAST_ASIAN_CHARS)
        && (controls > 0 || kana >= EAST_ASIAN_CHARS / 2);
  }

  /** Whether the first bytes are UTF-8, except for an incomplete character at their end. */
  private static boolean isUtf8(byte[] head, int length) {
    var chars = CharBuffer.allocate(length);
    return !StandardCharsets.UTF_8
        .newDecoder()
        .decode(ByteBuffer.wrap(head, 0, length), chars, false)
        .isError();
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
