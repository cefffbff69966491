package io.github.bloomgate.http.limits;

import io.github.bloomgate.http.problem.BodyMemory;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Enumeration;

/** A body that has arrived as a whole, with the memory that it holds. */
public final class HeldBody extends SequenceInputStream {

  private final BodyMemory memory;

  HeldBody(Enumeration<InputStream> blocks, BodyMemory memory) {
    super(blocks);
    this.memory = memory;
  }

  public BodyMemory memory() {
    return memory;
  }
}
