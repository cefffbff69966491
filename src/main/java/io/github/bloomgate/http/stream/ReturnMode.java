package io.github.bloomgate.http.stream;

import io.github.bloomgate.lines.LineBatch;
import io.github.bloomgate.lines.LineFormat;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.io.OutputStream;

/** What a stream returns for each element. */
public enum ReturnMode implements ElementStream.Results {

  /** Only a summary at the end. */
  NONE,

  /** A line with 1 for true and 0 for false. */
  FLAGS,

  /** The original line, if the result is true. */
  LINES_IF_TRUE,

  /** The original line, if the result is false. */
  LINES_IF_FALSE;

  @Override
  public MediaType type(MediaType ofLines) {
    return switch (this) {
      case NONE -> MediaType.APPLICATION_JSON_TYPE;
      case FLAGS -> MediaType.valueOf(LineFormat.TEXT_TYPE);
      case LINES_IF_TRUE, LINES_IF_FALSE -> ofLines;
    };
  }

  @Override
  public int flagsOfLine() {
    return 1;
  }

  @Override
  public void write(LineBatch batch, boolean[] flags, OutputStream out) throws IOException {
    switch (this) {
      case NONE -> {}
      case FLAGS -> writeFlags(flags, out);
      case LINES_IF_TRUE -> writeLines(batch, flags, true, out);
      case LINES_IF_FALSE -> writeLines(batch, flags, false, out);
    }
  }

  private static void writeFlags(boolean[] flags, OutputStream out) throws IOException {
    var lines = new byte[2 * flags.length];
    for (var i = 0; i < flags.length; i++) {
      lines[2 * i] = (byte) (flags[i] ? '1' : '0');
      lines[2 * i + 1] = '\n';
    }
    out.write(lines);
  }

  private static void writeLines(LineBatch batch, boolean[] flags, boolean wanted, OutputStream out)
      throws IOException {
    for (var i = 0; i < flags.length; i++) {
      if (flags[i] == wanted) {
        batch.writeLine(i, out);
        out.write('\n');
      }
    }
  }
}
