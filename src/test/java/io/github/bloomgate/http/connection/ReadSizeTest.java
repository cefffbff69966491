package io.github.bloomgate.http.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

/** A flood of small frames or requests leaves time for other connections. */
class ReadSizeTest {

  @Test
  void eachTurnOfTheEventLoopReadsALittle() {
    var channel = new EmbeddedChannel();
    var handle = new ReadSize().newHandle();
    handle.reset(channel.config());
    assertTrue(handle.guess() <= 4096, () -> handle.guess() + " bytes");
    handle.incMessagesRead(1);
    assertFalse(handle.continueReading());
  }

  @Test
  void aLongBodyIsReadInLargeParts() {
    var channel = new EmbeddedChannel();
    var size = new ReadSize();
    channel.config().setRecvByteBufAllocator(size);
    ReadSize.set(channel, true);
    assertEquals(65_536, size.newHandle().guess());
    ReadSize.set(channel, false);
    assertTrue(size.newHandle().guess() <= 4096);
  }
}
