package io.github.bloomgate.model.lines;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * Decompresses gzip of one or more members (RFC 1952). Unlike the JDK's class, it detects a
 * truncated input and data after the last member, and its {@code available} is exact.
 */
public final class Gunzip extends InputStream {

  private static final int BUFFER_BYTES = 65_536;
  private static final int DEFLATE = 8;
  private static final int HEADER_CHECKSUM = 2;
  private static final int EXTRA = 4;
  private static final int NAME = 8;
  private static final int COMMENT = 16;
  private static final int RESERVED = 0xE0;

  private final InputStream in;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 checksum = new CRC32();
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int start;
  private int end;
  private boolean isInMember;
  private boolean isFirst = true;

  /** Reads nothing yet. */
  public Gunzip(InputStream in) {
    this.in = in;
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (isInMember || beginMember()) {
      var count = inflate(into, offset, length);
      if (count > 0) {
        checksum.update(into, offset, count);
        return count;
      }
      if (inflater.finished()) {
        endMember();
      } else if (inflater.needsDictionary()) {
        throw new ZipException("not gzip");
      } else {
        require(fill());
        inflater.setInput(buffer, start, end - start);
        start = end;
      }
    }
    return -1;
  }

  /** Positive only if input is available, which may still be too little for a byte of content. */
  @Override
  public int available() throws IOException {
    var hasInput = start < end || (isInMember && inflater.getRemaining() > 0);
    return hasInput || in.available() > 0 ? 1 : 0;
  }

  /** Releases the memory of the decoder; the input stays open. */
  @Override
  public void close() {
    inflater.end();
  }

  private int inflate(byte[] into, int offset, int length) throws ZipException {
    try {
      return inflater.inflate(into, offset, length);
    } catch (DataFormatException malformed) {
      throw new ZipException("not gzip");
    }
  }

  /** Reads a header, or returns false at the end of the input. */
  private boolean beginMember() throws IOException {
    if (start == end && !fill()) {
      require(!isFirst);
      return false;
    }
    checksum.reset();
    expect(0x1F);
    expect(0x8B);
    expect(DEFLATE);
    var flags = next();
    skip(6);
    if ((flags & RESERVED) != 0) {
      throw new ZipException("not gzip");
    }
    if ((flags & EXTRA) != 0) {
      skip(next() | next() << 8);
    }
    if ((flags & NAME) != 0) {
      skipText();
    }
    if ((flags & COMMENT) != 0) {
      skipText();
    }
    var header = checksum.getValue() & 0xFFFF;
    if ((flags & HEADER_CHECKSUM) != 0 && (next() | next() << 8) != header) {
      throw new ZipException("not the checksum");
    }
    inflater.reset();
    inflater.setInput(buffer, start, end - start);
    start = end;
    checksum.reset();
    isFirst = false;
    isInMember = true;
    return true;
  }

  private void endMember() throws IOException {
    start = end - inflater.getRemaining();
    isInMember = false;
    var content = checksum.getValue();
    if (fourBytes() != content || fourBytes() != (inflater.getBytesWritten() & 0xFFFF_FFFFL)) {
      throw new ZipException("not the checksum");
    }
  }

  private long fourBytes() throws IOException {
    return next() | (long) next() << 8 | (long) next() << 16 | (long) next() << 24;
  }

  private void expect(int value) throws IOException {
    if (next() != value) {
      throw new ZipException("not gzip");
    }
  }

  private void skip(int count) throws IOException {
    for (var i = 0; i < count; i++) {
      next();
    }
  }

  private void skipText() throws IOException {
    while (next() != 0) {}
  }

  private int next() throws IOException {
    if (start == end) {
      require(fill());
    }
    checksum.update(buffer[start]);
    return buffer[start++] & 0xFF;
  }

  private boolean fill() throws IOException {
    start = 0;
    end = Math.max(0, in.read(buffer, 0, buffer.length));
    return end > 0;
  }

  private static void require(boolean condition) throws EOFException {
    if (!condition) {
      throw new EOFException("cut short");
    }
  }
}
