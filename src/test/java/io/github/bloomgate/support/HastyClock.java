package io.github.bloomgate.support;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;

/** Is later by more than half a minute each time it is looked at, so that all seems abandoned. */
public final class HastyClock extends Clock {

  private final AtomicLong looks = new AtomicLong();

  @Override
  public Instant instant() {
    return Instant.now().plusSeconds(31 * looks.incrementAndGet());
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException();
  }
}
