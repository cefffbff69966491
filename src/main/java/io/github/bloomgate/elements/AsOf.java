package io.github.bloomgate.elements;

/**
 * As of when a copy is.
 *
 * @param sent when the call was sent that confirmed it; all adds acknowledged before are in it
 * @param redisMillis the time of Redis when it ran the call
 */
public record AsOf(Moment sent, long redisMillis) {

  /** The earlier one of two. */
  AsOf orEarlier(AsOf other) {
    return other.sent.isBefore(sent) ? other : this;
  }
}
