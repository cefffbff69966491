package io.github.bloomgate.fuzz;

import io.github.bloomgate.lines.ContentMismatchException;
import io.github.bloomgate.lines.ElementEncoding;
import io.github.bloomgate.lines.ElementLines;
import io.github.bloomgate.lines.Gunzip;
import io.github.bloomgate.lines.InvalidLineException;
import io.github.bloomgate.lines.LineBatch;
import io.github.bloomgate.lines.LineFormat;
import io.github.bloomgate.lines.Sender;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Splits bytes into lines. However the bytes arrive, the elements and the invalid line are the
 * same, and the joined lines equal the input.
 *
 * <p>The first byte selects the format, the encoding and whether to unzip. The second selects how
 * the bytes arrive.
 */
public final class LinesTarget {

  private static final int MOST_UNZIPPED = 1 << 20;

  private LinesTarget() {}

  /** Called by the fuzzer. */
  public static void fuzzerTestOneInput(byte[] input) {
    if (input.length < 2) {
      return;
    }
    var format = List.of(LineFormat.values()).get((input[0] & 0xff) % 2);
    var encoding = List.of(ElementEncoding.values()).get((input[0] & 0xff) / 2 % 3);
    var isZipped = (input[0] & 0xff) / 6 % 2 == 1;
    var content = Arrays.copyOfRange(input, 2, input.length);
    var inPieces = read(content, 1 + (input[1] & 0x7f), isZipped, format, encoding);
    var atOnce = read(content, Integer.MAX_VALUE, isZipped, format, encoding);
    if ((isZipped || atOnce.isForeign) ? !agree(inPieces, atOnce) : !inPieces.equals(atOnce)) {
      throw new AssertionError("in pieces %s, at once %s".formatted(inPieces, atOnce));
    }
    if (!isZipped) {
      assertLinesAreTheContent(atOnce, content);
      if (format == LineFormat.TEXT && encoding == ElementEncoding.UTF_8) {
        assertElementsAreTheLines(atOnce);
      }
    }
  }

  /**
   * The output before damaged gzip or binary content is detected depends on how the bytes arrive.
   */
  private static boolean agree(Outcome one, Outcome other) {
    var shared = Math.min(one.elements.size(), other.elements.size());
    return one.end.isEmpty() == other.end.isEmpty()
        && one.elements.subList(0, shared).equals(other.elements.subList(0, shared))
        && (!one.end.isEmpty() || one.elements.size() == other.elements.size());
  }

  /** The bytes read, in hexadecimal. */
  private record Outcome(
      List<String> lines, List<String> elements, String end, boolean isForeign) {}

  private static Outcome read(
      byte[] content, int piece, boolean isZipped, LineFormat format, ElementEncoding encoding) {
    InputStream in = new Pieces(content, piece);
    var lines =
        new ElementLines(
            isZipped ? new Bounded(new Gunzip(in)) : in,
            format,
            encoding,
            Optional.empty(),
            last -> LineBatch.ORDINARY_BYTES,
            Sender.CLIENT);
    var outcome = new Outcome(new ArrayList<>(), new ArrayList<>(), "", false);
    try {
      for (var batch = lines.next(); batch.isPresent(); batch = lines.next()) {
        var elements = batch.get().elements();
        if (elements.isEmpty() || batch.get().firstLine() != outcome.lines.size() + 1) {
          throw new AssertionError("a batch from line " + batch.get().firstLine());
        }
        for (var i = 0; i < elements.size(); i++) {
          outcome.elements.add(HexFormat.of().formatHex(elements.get(i)));
          var line = new ByteArrayOutputStream();
          batch.get().writeLine(i, line);
          outcome.lines.add(HexFormat.of().formatHex(line.toByteArray()));
        }
      }
      return outcome;
    } catch (InvalidLineException invalid) {
      if (lines.nextLine() != outcome.lines.size() + 1) {
        throw new AssertionError("line " + lines.nextLine(), invalid);
      }
      return new Outcome(outcome.lines, outcome.elements, invalid.getMessage(), false);
    } catch (IOException broken) {
      var isForeign = broken instanceof ContentMismatchException;
      return new Outcome(outcome.lines, outcome.elements, "" + broken.getMessage(), isForeign);
    }
  }

  private static void assertLinesAreTheContent(Outcome outcome, byte[] content) {
    var together = new ByteArrayOutputStream();
    for (var line : outcome.lines) {
      together.writeBytes(HexFormat.of().parseHex(line));
      together.write('\n');
    }
    var all = together.toByteArray();
    var isLastEnded = content.length > 0 && content[content.length - 1] == '\n';
    var expected =
        outcome.end.isEmpty()
            ? isLastEnded || content.length == 0 ? content.length : content.length + 1
            : all.length;
    var mismatch = Arrays.mismatch(all, content);
    if (all.length != expected
        || (mismatch >= 0 && mismatch < Math.min(all.length, content.length))) {
      throw new AssertionError("the lines differ from the input");
    }
  }

  private static void assertElementsAreTheLines(Outcome outcome) {
    for (var i = 0; i < outcome.lines.size(); i++) {
      var line = outcome.lines.get(i);
      var element = line.endsWith("0d") ? line.substring(0, line.length() - 2) : line;
      if (!element.equals(outcome.elements.get(i))) {
        throw new AssertionError("another element than in line " + i);
      }
    }
  }

  /** An input that returns a limited number of bytes at a time. */
  private static final class Pieces extends ByteArrayInputStream {
    private final int piece;

    private Pieces(byte[] content, int piece) {
      super(content);
      this.piece = piece;
    }

    @Override
    public int read(byte[] into, int offset, int length) {
      return super.read(into, offset, Math.min(length, piece));
    }
  }

  /** Limits the output of a small zip, which could be endless. */
  private static final class Bounded extends InputStream {
    private final InputStream in;
    private int read;

    private Bounded(InputStream in) {
      this.in = in;
    }

    @Override
    public int read() {
      throw new UnsupportedOperationException();
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      if (read == MOST_UNZIPPED) {
        return -1;
      }
      var count = in.read(into, offset, Math.min(length, MOST_UNZIPPED - read));
      read += Math.max(0, count);
      return count;
    }

    @Override
    public int available() throws IOException {
      return in.available();
    }
  }
}
