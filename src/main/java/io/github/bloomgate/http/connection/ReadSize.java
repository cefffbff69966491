package io.github.bloomgate.http.connection;

import io.netty.channel.Channel;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;

/**
 * How much one connection reads in a turn of the event loop: the part of a body, or a few requests
 * or frames, so that a flood of these leaves time for other connections. For the event loop of the
 * connection.
 */
public final class ReadSize extends DefaultMaxMessagesRecvByteBufAllocator {

  /** Some hundred frames of HTTP/2 at most. */
  private static final int SMALL = 1 << 12;

  private static final int LARGE = 1 << 16;

  private boolean isBody;

  public ReadSize() {
    super(1);
  }

  /** Whether a long body follows on a connection. */
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
