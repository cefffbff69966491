package io.github.bloomgate.store;

import io.github.bloomgate.model.error.BloomException;
import java.util.List;

/** The reply about elements in the raw content of one filter. */
public sealed interface RawBitsReply {

  /** The answer for each element. */
  record Answers(List<BitsReply.Answer> answers) implements RawBitsReply {}

  /** A bitmap had to grow first. Nothing was added: repeat the call. */
  record Grown() implements RawBitsReply {}

  /** The generation has another version or does not exist. Nothing was changed. */
  record Changed() implements RawBitsReply {}

  /** The content or a library's key is invalid. Nothing was changed. */
  record Failed(BloomException failure) implements RawBitsReply {}
}
