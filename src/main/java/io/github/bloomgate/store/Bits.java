package io.github.bloomgate.store;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.redis.Arguments;
import io.github.bloomgate.redis.Effect;
import java.util.List;

/** Elements to test or add bit by bit, in one segment or in raw content. */
public sealed interface Bits permits SegmentBits, RawBits {

  /** The most bits of a call, for all its strings. Redis needs one or two microseconds for each. */
  int MAX_PER_CALL = 1_024;

  StoredGeneration generation();

  /** The keys of the state and of the bits, and of a companion. */
  List<String> keys();

  /** Adds the arguments after the number of keys. */
  void put(Arguments arguments, Effect effect);

  /** The error if the bits are missing or malformed. */
  BloomException damaged();
}
