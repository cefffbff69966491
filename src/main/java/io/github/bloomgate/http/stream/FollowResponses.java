package io.github.bloomgate.http.stream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.bloomgate.config.BloomgateConfig;
import io.github.bloomgate.follow.Follower;
import io.github.bloomgate.follow.Follower.Piece;
import io.github.bloomgate.follow.FrameWriter;
import io.github.bloomgate.http.access.Caller;
import io.github.bloomgate.http.connection.Exchange;
import io.github.bloomgate.http.connection.RequestEnd;
import io.github.bloomgate.http.contract.ApiRequest;
import io.github.bloomgate.http.problem.FailureLog;
import io.github.bloomgate.http.problem.Problem;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.ErrorCode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.buffer.impl.BufferImpl;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.Optional;
import org.jboss.logging.Logger;

/** Responses to clients that follow a filter. They take no thread while nothing is sent. */
@Singleton
public class FollowResponses {

  private static final Logger LOG = Logger.getLogger(FollowResponses.class);

  /** A piece of the stream, which may be one long frame. */
  private static final int MOST_UNDER_WAY = 1 << 14;

  private final Caller caller;
  private final FailureLog failures;
  private final ObjectMapper json;

  /** A key that was revoked ends its streams when the keys were read again and this has passed. */
  private final long checkNanos;

  private final Counter bytes;
  private final MeterProvider<Counter> ended;

  FollowResponses(
      Caller caller,
      FailureLog failures,
      ObjectMapper json,
      BloomgateConfig config,
      MeterRegistry metrics) {
    this.caller = caller;
    this.failures = failures;
    this.json = json;
    this.checkNanos = config.security().keysCheckInterval().toNanos();
    this.bytes =
        Counter.builder("bloom.follow.bytes")
            .description("Number of bytes sent to followers.")
            .register(metrics);
    this.ended =
        Counter.builder("bloom.follow.ended")
            .description("Number of streams to followers that have ended, by reason.")
            .withRegistry(metrics);
  }

  /** The content of the last frame. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  private record End(int retryAfterSeconds, @JsonUnwrapped Problem problem) {}

  /**
   * The response to a follower.
   *
   * @throws BloomException OVERLOADED if there is no memory for it
   */
  public StreamedResponse of(Follower follower, FilterName name, RoutingContext context) {
    Exchange.of(context).reserve(MOST_UNDER_WAY);
    return new StreamedResponse(
        (sent, headers) -> new FollowResponse(follower, name, context).begin());
  }

  private byte[] end(Optional<BloomException> failure) {
    try {
      var end =
          new End(
              failure.map(FollowResponses::retryAfterSeconds).orElse(0),
              failure.map(Problem::of).orElse(null));
      return FrameWriter.end(json.writeValueAsString(end));
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static int retryAfterSeconds(BloomException failure) {
    if (failure.code().isRepeated()) {
      return 1;
    }
    // A filter can be created again.
    return failure.code() == ErrorCode.FILTER_NOT_FOUND ? 5 : 30;
  }

  private final class FollowResponse {

    private final Follower follower;
    private final FilterName name;
    private final RoutingContext context;
    private final HttpServerResponse response;
    private long checkedNanos = System.nanoTime();

    /** Why the stream has ended; that its client has gone, if nothing else is known. */
    private volatile String reason = "client";

    FollowResponse(Follower follower, FilterName name, RoutingContext context) {
      this.follower = follower;
      this.name = name;
      this.context = context;
      this.response = context.response();
    }

    void begin() {
      Exchange.of(context).pace(MOST_UNDER_WAY);
      RequestEnd.then(context, () -> ended.withTag("reason", reason).increment());
      response.setChunked(true);
      awaitNext();
    }

    private void awaitNext() {
      follower.next().invoke(this::send).subscribe().with(sent -> {}, this::breakOff);
    }

    private static void log(Throwable defect) {
      LOG.error("A stream to a follower broke off.", defect);
    }

    private void breakOff(Throwable defect) {
      log(defect);
      Exchange.of(context).abort();
    }

    private void send(Piece piece) {
      if (response.closed()) {
        return;
      }
      var failure = piece.failure().or(this::refusal);
      if (failure.isPresent() || (piece.isLast() && piece.frames().length == 0)) {
        reason = failure.map(its -> its.code().name()).orElse("time");
        // All followers of a filter get the same failure.
        failure
            .filter(its -> its.code() == ErrorCode.INTERNAL && failures.isFirst(its))
            .ifPresent(FollowResponse::log);
        var unused = response.end(Buffer.buffer(end(failure)));
        return;
      }
      FollowResponses.this.bytes.increment(piece.frames().length);
      var bytes = BufferImpl.buffer(Unpooled.wrappedBuffer(piece.frames()));
      if (piece.isLast()) {
        reason = "once";
        var unused = response.end(bytes);
      } else {
        response.write(bytes).onSuccess(sent -> awaitNext());
      }
    }

    /** Why its key may no longer follow, if so. */
    private Optional<BloomException> refusal() {
      if (System.nanoTime() - checkedNanos < checkNanos) {
        return Optional.empty();
      }
      checkedNanos = System.nanoTime();
      try {
        caller.requireAgain(context, ApiRequest.of(context).role(), name.value());
        return Optional.empty();
      } catch (BloomException refused) {
        return Optional.of(refused);
      }
    }
  }
}
