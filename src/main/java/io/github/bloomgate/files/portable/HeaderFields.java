package io.github.bloomgate.files.portable;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.bloomgate.files.portable.HeaderJson.BadHeader;
import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.model.FilterParameters;
import java.util.List;

/**
 * A JSON object in a header whose fields are all present, of the right type and within their
 * limits.
 */
record HeaderFields(JsonNode values) {

  /** Checks that an object has these fields and no others. */
  static HeaderFields of(JsonNode values, List<String> required, List<String> optional)
      throws BadHeader {
    if (!values.isObject()) {
      throw new BadHeader("has a value that is not a JSON object");
    }
    for (var field : (Iterable<String>) values::fieldNames) {
      if (!required.contains(field) && !optional.contains(field)) {
        throw new BadHeader("has a field that this version of the format does not have");
      }
    }
    for (var field : required) {
      if (!values.has(field)) {
        throw new BadHeader("lacks the field " + field);
      }
    }
    return new HeaderFields(values);
  }

  boolean has(String field) {
    return values.has(field);
  }

  String text(String field) throws BadHeader {
    if (values.get(field).isTextual()) {
      return values.get(field).textValue();
    }
    throw wrong(field);
  }

  long integer(String field, long max) throws BadHeader {
    var given = values.get(field);
    var number = given.longValue();
    if (given.isIntegralNumber() && given.canConvertToLong() && number >= 1 && number <= max) {
      return number;
    }
    throw wrong(field);
  }

  boolean flag(String field) throws BadHeader {
    if (values.get(field).isBoolean()) {
      return values.get(field).booleanValue();
    }
    throw wrong(field);
  }

  double probability(String field) throws BadHeader {
    var given = values.get(field);
    var probability = given.doubleValue();
    if (given.isDouble() && probability > 0 && probability < 1) {
      return probability;
    }
    throw wrong(field);
  }

  /** The shape, which must be one of the scheme's. */
  FilterShape shape(HashScheme scheme) throws BadHeader {
    var shape = shape();
    if (!isOf(scheme, shape)) {
      throw new BadHeader(
          "has segments, segmentBits and numHashFunctions that do not fit its hash scheme");
    }
    return shape;
  }

  /** The shape, without a check against the scheme. */
  FilterShape shape() throws BadHeader {
    var segments = (int) integer("segments", Integer.MAX_VALUE);
    var segmentBits = integer("segmentBits", FilterParameters.MAX_BIT_SIZE / segments);
    var k = (int) integer("numHashFunctions", FilterParameters.MAX_HASH_FUNCTIONS);
    return new FilterShape(segments, segmentBits, k);
  }

  /** Whether a scheme computes this shape for its number of bits. */
  static boolean isOf(HashScheme scheme, FilterShape shape) {
    try {
      return shape.equals(scheme.shapeOf(shape.bitSize(), shape.numHashFunctions()));
    } catch (IllegalArgumentException refused) {
      return false;
    }
  }

  static BadHeader wrong(String field) {
    return new BadHeader("has an invalid value or type of " + field);
  }
}
