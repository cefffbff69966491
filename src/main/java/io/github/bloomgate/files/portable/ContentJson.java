package io.github.bloomgate.files.portable;

import com.fasterxml.jackson.core.JsonGenerator;
import io.github.bloomgate.files.portable.HeaderJson.BadHeader;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.model.Counters;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.WhenFull;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** What the segments of a filter hold, as fields of a header. */
final class ContentJson {

  /** The fields of a header, in place of those of the shape. */
  static final List<String> FIELDS =
      List.of("content", "segments", "segmentBits", "numHashFunctions");

  private static final String BITS = "bits";
  private static final String COUNTERS = "counters";

  private ContentJson() {}

  static void write(JsonGenerator json, FilterParameters parameters) throws IOException {
    json.writeStringField("content", parameters.counting() ? COUNTERS : BITS);
    LayersJson.writeShape(json, parameters.shape());
  }

  /** The filter of a header; it has segments as one of its content is made with. */
  static FilterParameters read(HeaderFields header, HashScheme scheme, WhenFull whenFull)
      throws BadHeader {
    if (!scheme.canGrow()) {
      throw new BadHeader("has a content, with a hash scheme that knows bits only");
    }
    var content = header.text("content");
    var shape = header.shape();
    if (!content.equals(BITS) && !content.equals(COUNTERS)) {
      throw HeaderFields.wrong("content");
    }
    var isCounting = content.equals(COUNTERS);
    if (!(isCounting ? Counters.areIn(shape) : Counters.wereIn(shape))) {
      throw new BadHeader("has segments and segmentBits that no filter with this content has");
    }
    return new FilterParameters(
        scheme,
        header.integer("expectedInsertions", FilterParameters.MAX_EXPECTED_INSERTIONS),
        header.probability("falsePositiveProbability"),
        shape,
        whenFull,
        Optional.empty(),
        Optional.empty(),
        isCounting);
  }
}
