package io.github.bloomgate.files.portable;

import com.fasterxml.jackson.core.JsonGenerator;
import io.github.bloomgate.files.portable.HeaderJson.BadHeader;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.model.Counters;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.Window;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** The header fields for window and counters. */
final class ContentJson {

  private static final String CONTENT = "content";
  private static final String WINDOW = "window";

  /** The fields used instead of the shape's. */
  static final List<String> FIELDS =
      List.of(CONTENT, "segments", "segmentBits", "numHashFunctions");

  /** Only with {@code slices}. */
  static final List<String> OPTIONAL = List.of(WINDOW);

  private static final String BITS = "bits";
  private static final String COUNTERS = "counters";
  private static final String SLICES = "slices";

  private static final List<String> BY_TIME = List.of("seconds", "slices", "rings", "refresh");
  private static final List<String> BY_INSERTIONS =
      List.of("insertions", "slices", "rings", "refresh");

  private ContentJson() {}

  static void write(JsonGenerator json, FilterParameters parameters) throws IOException {
    var window = parameters.window();
    json.writeStringField(
        CONTENT, parameters.counting() ? COUNTERS : window.isPresent() ? SLICES : BITS);
    LayersJson.writeShape(json, parameters.shape());
    if (window.isPresent()) {
      json.writeObjectFieldStart(WINDOW);
      write(json, window.get());
      json.writeEndObject();
    }
  }

  private static void write(JsonGenerator json, Window window) throws IOException {
    if (window.isByTime()) {
      json.writeNumberField("seconds", window.seconds());
    } else {
      json.writeNumberField("insertions", window.insertions());
    }
    json.writeNumberField("slices", window.slices());
    json.writeNumberField("rings", window.rings());
    json.writeBooleanField("refresh", window.refresh());
  }

  /** Reads the parameters; the segments must be those that the service would create. */
  static FilterParameters read(HeaderFields header, HashScheme scheme, WhenFull whenFull)
      throws BadHeader {
    if (!scheme.canGrow()) {
      throw new BadHeader("has a content, but its hash scheme supports only bits");
    }
    var content = header.text(CONTENT);
    if (header.has(WINDOW) != content.equals(SLICES)) {
      throw new BadHeader("has a window without slices, or the other way round");
    }
    var window =
        header.has(WINDOW) ? Optional.of(window(header, whenFull)) : Optional.<Window>empty();
    var shape = header.shape();
    var isPossible =
        switch (content) {
          case BITS -> Counters.wereIn(shape);
          case COUNTERS -> Counters.areIn(shape);
          case SLICES -> window.orElseThrow().isIn(shape);
          default -> throw HeaderFields.wrong(CONTENT);
        };
    if (!isPossible) {
      throw new BadHeader("has segments and segmentBits that do not match its content");
    }
    return new FilterParameters(
        scheme,
        header.integer("expectedInsertions", FilterParameters.MAX_EXPECTED_INSERTIONS),
        header.probability("falsePositiveProbability"),
        shape,
        whenFull,
        Optional.empty(),
        window,
        content.equals(COUNTERS));
  }

  /** A window is never full and has at least two slices. */
  private static Window window(HeaderFields header, WhenFull whenFull) throws BadHeader {
    var given = header.values().get(WINDOW);
    var isByTime = given.has("seconds");
    var fields = HeaderFields.of(given, isByTime ? BY_TIME : BY_INSERTIONS, List.of());
    var slices = (int) fields.integer("slices", Window.MAX_SLICES);
    if (slices < Window.MIN_SLICES || whenFull != WhenFull.ACCEPT) {
      throw HeaderFields.wrong("slices or whenFull");
    }
    var refresh = fields.flag("refresh");
    var window =
        isByTime
            ? Window.ofSeconds(fields.integer("seconds", Window.MAX_SECONDS), slices, refresh)
            : Window.ofInsertions(
                fields.integer("insertions", FilterParameters.MAX_EXPECTED_INSERTIONS),
                slices,
                refresh);
    if (fields.integer("rings", Integer.MAX_VALUE) != window.rings()) {
      throw HeaderFields.wrong("rings");
    }
    return window;
  }
}
