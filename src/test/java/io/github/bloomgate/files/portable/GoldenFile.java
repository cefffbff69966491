package io.github.bloomgate.files.portable;

import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.Counting;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.Plain;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.Window;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Exported files that must stay readable, so they never change. */
enum GoldenFile {
  /** A thousand elements: {@code element 0} and so on. */
  PLAIN("golden", 1000),
  /** The same without the time of its export, as all files are since the first release. */
  UNDATED("golden-undated", 1000),
  /** Three layers with 100, 200 and 50 elements. */
  GROWN("golden-grown", 350),
  COUNTING("golden-counting", 0),
  WINDOW("golden-window", 0);

  /** The number of elements according to the bits alone. */
  final int elements;

  private final String name;

  GoldenFile(String name, int elements) {
    this.name = name;
    this.elements = elements;
  }

  byte[] bytes() throws IOException {
    return Files.readAllBytes(Path.of("src/test/resources/portable", name + ".bloom"));
  }

  FilterParameters parameters() {
    var scheme = HashSchemes.nativeScheme();
    return switch (this) {
      case PLAIN, UNDATED -> new Plain(WhenFull.REJECT).parameters(scheme, 60_000, 0.001);
      case GROWN -> new Growth(2, 1 << 20).parameters(scheme, 100, 0.01);
      case COUNTING -> new Counting(WhenFull.REJECT).parameters(scheme, 1_000, 0.001);
      // Its rings have slightly fewer bits than those of a new filter.
      case WINDOW ->
          new FilterParameters(
              scheme,
              1_000,
              0.001,
              new FilterShape(1, 25_600, 14),
              Window.ofSeconds(86_400, 4, true));
    };
  }

  String header() throws IOException {
    var file = bytes();
    var length = ByteBuffer.wrap(file).getInt(12);
    return new String(file, FileLayout.PREAMBLE_BYTES, length, StandardCharsets.US_ASCII);
  }
}
