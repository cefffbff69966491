package io.github.bloomgate.http.request;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.github.bloomgate.model.IdleExpiry;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RequestErrors;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.io.IOException;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** The expiry of a filter: a TTL, a date, or a time without use. */
public record ExpiryRequest(
    @Min(1) @Max(MAX_TTL_SECONDS) Long ttlSeconds,
    @JsonDeserialize(using = MomentReader.class) Instant expiresAt,
    @Min(MIN_IDLE_SECONDS) @Max(MAX_TTL_SECONDS) Long idleSeconds,
    boolean extendedByTests) {

  /** Ten years of 365 days: more is probably a wrong unit. */
  static final long MAX_TTL_SECONDS = 315_360_000L;

  /** An expiry is postponed once a minute, and stays up to two minutes longer. */
  static final long MIN_IDLE_SECONDS = 120;

  /**
   * The requested expiry.
   *
   * @throws BloomException INVALID_REQUEST unless exactly one is given, as {@link #orNone(Clock)}
   */
  public NewExpiry required(Clock clock) {
    var expiry = orNone(clock);
    if (expiry.equals(NewExpiry.NONE)) {
      throw RequestErrors.invalid(
          "The expiry is missing. Send ttlSeconds, expiresAt or idleSeconds; DELETE removes an expiry.");
    }
    return expiry;
  }

  /**
   * The requested expiry, if any.
   *
   * @throws BloomException INVALID_REQUEST if several are given, as {@link #atTime}, or tests are
   *     to extend one that they cannot
   */
  public NewExpiry orNone(Clock clock) {
    if (idleSeconds == null) {
      if (extendedByTests) {
        throw RequestErrors.invalid(
            "extendedByTests can only be used with idleSeconds. Send idleSeconds too, or leave it out.");
      }
      return NewExpiry.of(atTime(ttlSeconds, expiresAt, clock));
    }
    if (ttlSeconds != null || expiresAt != null) {
      throw RequestErrors.invalid(
          "A filter expires either at a time or when idle. Send only one of ttlSeconds, expiresAt and idleSeconds.");
    }
    return NewExpiry.whenIdle(new IdleExpiry(Duration.ofSeconds(idleSeconds), extendedByTests));
  }

  /**
   * The time from either value; empty if both are null.
   *
   * @throws BloomException INVALID_REQUEST if both are given, or the expiry is past or too far in
   *     the future
   */
  public static Optional<Instant> atTime(Long ttlSeconds, Instant expiresAt, Clock clock) {
    var now = clock.instant();
    if (ttlSeconds != null && expiresAt != null) {
      throw RequestErrors.invalid(
          "ttlSeconds and expiresAt both set the expiry. Send only one of them.");
    }
    if (ttlSeconds != null) {
      return Optional.of(now.plusSeconds(ttlSeconds));
    }
    if (expiresAt == null) {
      return Optional.empty();
    }
    if (!expiresAt.isAfter(now) || Duration.between(now, expiresAt).toSeconds() > MAX_TTL_SECONDS) {
      throw RequestErrors.invalid(
          "expiresAt is %s, but must be after now (%s) and within ten years. Correct it."
              .formatted(expiresAt, now));
    }
    // Redis stores milliseconds, and the response must show the stored value.
    return Optional.of(expiresAt.truncatedTo(ChronoUnit.MILLIS));
  }

  /** Reads a moment only from RFC 3339 text; the library's own would accept numbers as seconds. */
  public static final class MomentReader extends JsonDeserializer<Instant> {

    @Override
    public Instant deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      if (!parser.hasToken(JsonToken.VALUE_STRING)) {
        return (Instant) context.handleUnexpectedToken(Instant.class, parser);
      }
      var text = parser.getText();
      try {
        return DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(text, Instant::from);
      } catch (DateTimeException malformed) {
        return (Instant) context.handleWeirdStringValue(Instant.class, text, "not RFC 3339");
      }
    }
  }
}
