package io.github.bloomgate.store;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** What may have happened to the two keys of a segment, and the reply that says so. */
record SegmentHarm(String reply, BiConsumer<String, String> done) {

  /** All that can be wrong with the two keys of a segment. */
  static Map<String, SegmentHarm> refusals(ScriptBench bench) {
    var harms = new LinkedHashMap<String, SegmentHarm>();
    harms.put("gone", new SegmentHarm("GONE", (state, bits) -> bench.redis("DEL", state, bits)));
    harms.put(
        "stale",
        new SegmentHarm(
            "STALE 0123456789abcdef.7",
            (state, bits) -> bench.redis("HSET", state, "generation", "0123456789abcdef.7")));
    harms.put(
        "no state", new SegmentHarm("DAMAGED state", (state, bits) -> bench.redis("DEL", state)));
    harms.put(
        "no bits", new SegmentHarm("DAMAGED bits", (state, bits) -> bench.redis("DEL", bits)));
    harms.put(
        "no state, empty bits",
        new SegmentHarm(
            "DAMAGED state",
            (state, bits) -> {
              bench.redis("DEL", state);
              bench.redis("SET", bits, "");
            }));
    harms.put(
        "bits shorter",
        new SegmentHarm("DAMAGED bits", (state, bits) -> bench.redis("SET", bits, "x".repeat(15))));
    harms.put(
        "bits longer",
        new SegmentHarm("DAMAGED bits", (state, bits) -> bench.redis("SETBIT", bits, 128, 0)));
    for (var field : List.of("segmentBits", "bitsSet", "insertions", "maxInsertions")) {
      harms.put(
          "no " + field,
          new SegmentHarm("DAMAGED state", (state, bits) -> bench.redis("HDEL", state, field)));
      harms.put(
          field + " not a number",
          new SegmentHarm(
              "DAMAGED state", (state, bits) -> bench.redis("HSET", state, field, "many")));
    }
    harms.put(
        "segmentBits that compare with nothing",
        new SegmentHarm(
            "DAMAGED bits", (state, bits) -> bench.redis("HSET", state, "segmentBits", "nan")));
    harms.put(
        "no generation",
        new SegmentHarm(
            "DAMAGED state", (state, bits) -> bench.redis("HDEL", state, "generation")));
    harms.put(
        "state of another type",
        new SegmentHarm("WRONG_TYPE state", (state, bits) -> bench.redis("SET", state, "x")));
    harms.put(
        "bits of another type",
        new SegmentHarm(
            "WRONG_TYPE bits",
            (state, bits) -> {
              bench.redis("DEL", bits);
              bench.redis("RPUSH", bits, "x");
            }));
    return harms;
  }
}
