package io.github.bloomgate.files.portable;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.bloomgate.files.portable.HeaderJson.BadHeader;
import io.github.bloomgate.hash.FilterShape;
import io.github.bloomgate.hash.HashScheme;
import io.github.bloomgate.model.FilterParameters;
import java.util.List;

/** A JSON object in a header: each field is there, of the right type and within its limits. */
record HeaderFields(JsonNode values) {

  /** Likewise, with these fields and no others. */
  static HeaderFields of(JsonNode values, List<String> required, List<String> optional)
      throws BadHeader {
    if (!values.isObject()) {
      throw new BadHeader("has something else where a JSON object should be");
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

  /** A number from 1. */
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

  /** Segments, bits of each and hash functions, as the scheme makes them. */
  FilterShape shape(HashScheme scheme) throws BadHeader {
    var shape = shape();
    if (!isOf(scheme, shape)) {
      throw new BadHeader(
          "has segments, segmentBits and numHashFunctions that its hash scheme does not make");
    }
    return shape;
  }

  /** Likewise, whatever the scheme makes of as many bits. */
  FilterShape shape() throws BadHeader {
    var segments = (int) integer("segments", Integer.MAX_VALUE);
    var segmentBits = integer("segmentBits", FilterParameters.MAX_BIT_SIZE / segments);
    var k = (int) integer("numHashFunctions", FilterParameters.MAX_HASH_FUNCTIONS);
    return new FilterShape(segments, segmentBits, k);
  }

  /** Whether a shape is what a scheme makes of as many bits. */
  static boolean isOf(HashScheme scheme, FilterShape shape) {
    try {
      return shape.equals(scheme.shapeOf(shape.bitSize(), shape.numHashFunctions()));
    } catch (IllegalArgumentException refused) {
      return false;
    }
  }

  static BadHeader wrong(String field) {
    return new BadHeader("has a wrong value or type of " + field);
  }
}
