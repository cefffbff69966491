package io.github.bloomgate.http.limits;

import io.github.bloomgate.http.problem.BodyMemory;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Enumeration;

/** A body that has arrived as a whole. Releases each of its parts after it has been read. */
public final class HeldBody extends SequenceInputStream {

  private final BodyMemory memory;

  /**
   * @param parts with arrays, ready to be read
   * @param memory that the body holds; null for none
   */
  public HeldBody(ArrayDeque<ByteBuffer> parts, BodyMemory memory) {
    super(new Parts(parts));
    this.memory = memory;
  }

  /** The memory that a body holds; null if it did not have to be collected. */
  public static BodyMemory memory(InputStream body) {
    return body instanceof HeldBody held ? held.memory : null;
  }

  @SuppressWarnings({"JdkObsolete", "ByteBufferBackingArray"}) // for the stream; they have arrays
  private record Parts(ArrayDeque<ByteBuffer> left) implements Enumeration<InputStream> {

    @Override
    public boolean hasMoreElements() {
      return !left.isEmpty();
    }

    @Override
    public InputStream nextElement() {
      var part = left.remove();
      return new ByteArrayInputStream(part.array(), part.position(), part.remaining());
    }
  }
}
