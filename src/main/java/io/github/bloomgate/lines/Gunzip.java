package io.github.bloomgate.lines;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;

/**
 * Decompresses gzip of one or more members (RFC 1952). Unlike the JDK's class, it detects a
 * truncated input and data after the last member, and its {@code available} is exact.
 */
public final class Gunzip extends InflaterInputStream {

  private static final int BUFFER_BYTES = 65_536;
  private static final int DEFLATE = 8;
  private static final int HEADER_CHECKSUM = 2;
  private static final int EXTRA = 4;
  private static final int NAME = 8;
  private static final int COMMENT = 16;
  private static final int RESERVED = 0xE0;

  private final CRC32 checksum = new CRC32();

  /** Between members, the start of the unread bytes of {@code buf}, which end at {@code len}. */
  private int start;

  private boolean isInMember;
  private boolean isFirst = true;

  /** Reads nothing yet. */
  public Gunzip(InputStream in) {
    super(in, new Inflater(true), BUFFER_BYTES);
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (isInMember || beginMember()) {
      var count = super.read(into, offset, length);
      if (count > 0) {
        checksum.update(into, offset, count);
        return count;
      }
      if (inf.needsDictionary()) {
        throw new ZipException("not gzip");
      }
      endMember();
    }
    return -1;
  }

  /** Positive only if input is available, which may still be too little for a byte of content. */
  @Override
  public int available() throws IOException {
    var hasInput = isInMember ? inf.getRemaining() > 0 : start < len;
    return hasInput || in.available() > 0 ? 1 : 0;
  }

  /** Releases the memory of the decoder; the input stays open. */
  @Override
  public void close() {
    inf.end();
  }

  /** Reads a header, or returns false at the end of the input. */
  private boolean beginMember() throws IOException {
    if (start == len && !hasMore()) {
      require(!isFirst);
      return false;
    }
    checksum.reset();
    expect(0x1F);
    expect(0x8B);
    expect(DEFLATE);
    var flags = next();
    skipBytes(6);
    if ((flags & RESERVED) != 0) {
      throw new ZipException("not gzip");
    }
    if ((flags & EXTRA) != 0) {
      skipBytes(next() | next() << 8);
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
    inf.reset();
    inf.setInput(buf, start, len - start);
    checksum.reset();
    isFirst = false;
    isInMember = true;
    return true;
  }

  private void endMember() throws IOException {
    start = len - inf.getRemaining();
    isInMember = false;
    var content = checksum.getValue();
    if (fourBytes() != content || fourBytes() != (inf.getBytesWritten() & 0xFFFF_FFFFL)) {
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

  private void skipBytes(int count) throws IOException {
    for (var i = 0; i < count; i++) {
      next();
    }
  }

  private void skipText() throws IOException {
    while (next() != 0) {}
  }

  private int next() throws IOException {
    if (start == len) {
      require(hasMore());
    }
    checksum.update(buf[start]);
    return buf[start++] & 0xFF;
  }

  private boolean hasMore() throws IOException {
    start = 0;
    len = Math.max(0, in.read(buf, 0, buf.length));
    return len > 0;
  }

  private static void require(boolean condition) throws EOFException {
    if (!condition) {
      throw new EOFException("cut short");
    }
  }
}
