package io.github.bloomgate.http.connection;

import io.netty.channel.Channel;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;

/**
 * The size of one read from a connection: part of a body, or a few requests or frames, so that a
 * flood of these leaves time for other connections. Used on the connection's event loop.
 */
public final class ReadSize extends DefaultMaxMessagesRecvByteBufAllocator {

  /** At most a few hundred HTTP/2 frames. */
  private static final int SMALL = 1 << 12;

  private static final int LARGE = 1 << 16;

  private boolean isBody;

  public ReadSize() {
    super(1);
  }

  /** Sets whether a connection receives a long body. */
  static void set(Channel channel, boolean isBody) {
    if (channel.config().getRecvByteBufAllocator() instanceof ReadSize size) {
      size.isBody = isBody;
    }
  }

  @Override
  public MaxMessageHandle newHandle() {
    return new MaxMessageHandle() {
      @Override
      public int guess() {
        return isBody ? LARGE : SMALL;
      }
    };
  }
}
