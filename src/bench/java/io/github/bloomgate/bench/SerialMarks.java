package io.github.bloomgate.bench;

/** The places in a request that its number replaces. */
final class SerialMarks {

  private static final byte MARK = '#';
  private static final int WIDTH = Elements.SERIAL.length();

  private SerialMarks() {}

  /** Replaces every mark with the number, padded to the same length. */
  static void fill(byte[] request, int length, long number) {
    for (var i = 0; i < length; i++) {
      if (request[i] == MARK) {
        for (var digit = 0; digit < WIDTH; digit++) {
          request[i + digit] = '0';
        }
        Elements.putDigits(request, i + WIDTH - 1, number);
        i += WIDTH - 1;
      }
    }
  }
}
