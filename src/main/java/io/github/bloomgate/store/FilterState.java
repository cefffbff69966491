package io.github.bloomgate.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.bloomgate.model.ContentId;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.redis.ScriptReply;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The state of a generation. If a rebuild loads it, {@code expiresAt} is when the rebuild expires
 * without another load.
 *
 * @param definition JSON with everything that is fixed within a generation
 * @param version changes with the generation, {@code next} and the definition only
 * @param number the number of the generation that users see
 * @param next the incarnation that an open rebuild loads
 * @param dropped content that must still be dropped
 * @param owner the API key that created the filter; empty for none
 * @param loading of a next generation; empty for the live one
 */
public record FilterState(
    String definition,
    String version,
    ContentId content,
    long number,
    Instant createdAt,
    Optional<Instant> expiresAt,
    Optional<String> next,
    Written written,
    Optional<Dropped> dropped,
    String owner,
    boolean hasSource,
    Optional<Loading> loading) {

  /**
   * A rebuild that loads a generation.
   *
   * @param received the number of elements loaded
   * @param idleTimeout the time after which it expires without a load
   * @param run the run of a source that loads it
   */
  public record Loading(long received, Duration idleTimeout, Optional<String> run) {

    private static Loading of(List<byte[]> fields) {
      return new Loading(
          Long.parseLong(text(fields, RECEIVED)),
          Duration.ofMillis(Long.parseLong(text(fields, IDLE_TIMEOUT))),
          optional(fields, RUN));
    }
  }

  /** How many fields {@code find} reads of a state. */
  private static final int FIELDS = 15;

  // In the order of find.
  private static final int DEFINITION = 0;
  private static final int VERSION = 1;
  private static final int KEY_NAME = 2;
  private static final int INCARNATION = 3;
  private static final int NUMBER = 4;
  private static final int CREATED_AT = 5;
  private static final int EXPIRES_AT = 6;
  private static final int NEXT = 7;
  private static final int WRITTEN = 8;
  private static final int DROPPED = 9;
  private static final int OWNER = 10;
  private static final int SOURCE = 11;
  private static final int RECEIVED = 12;
  private static final int IDLE_TIMEOUT = 13;
  private static final int RUN = 14;

  /** Its content, to be dropped when it is replaced. */
  public Dropped replaced() {
    return new Dropped(content, written);
  }

  /** The same state after more segments were written. */
  public FilterState withWritten(Written more) {
    return new FilterState(
        definition,
        version,
        content,
        number,
        createdAt,
        expiresAt,
        next,
        more,
        dropped,
        owner,
        hasSource,
        loading);
  }

  /** The same state of a generation that a rebuild loads. */
  public FilterState withLoading(Loading some) {
    return new FilterState(
        definition,
        version,
        content,
        number,
        createdAt,
        expiresAt,
        next,
        written,
        dropped,
        owner,
        hasSource,
        Optional.of(some));
  }

  static FilterState ofNext(ScriptReply reply, List<byte[]> fields) {
    return of(reply, fields).withLoading(Loading.of(fields));
  }

  static FilterState of(ScriptReply reply, List<byte[]> fields) {
    if (fields.size() != FIELDS) {
      throw reply.unexpectedStatus();
    }
    return new FilterState(
        text(fields, DEFINITION),
        text(fields, VERSION),
        new ContentId(new FilterName(text(fields, KEY_NAME)), text(fields, INCARNATION)),
        Long.parseLong(text(fields, NUMBER)),
        Instant.ofEpochMilli(Long.parseLong(text(fields, CREATED_AT))),
        optional(fields, EXPIRES_AT).map(Long::valueOf).map(Instant::ofEpochMilli),
        optional(fields, NEXT),
        new Written(fields.get(WRITTEN)),
        Dropped.of(fields.get(DROPPED)),
        text(fields, OWNER),
        text(fields, SOURCE).equals("1"),
        Optional.empty());
  }

  /** A filter whose state is damaged, so that it can be deleted. */
  static RemovedFilter damaged(List<byte[]> fields) {
    return new RemovedFilter(
        text(fields, VERSION),
        content(fields),
        new Written(fields.get(WRITTEN)),
        optional(fields, NEXT).isPresent(),
        text(fields, SOURCE).equals("1"),
        Optional.empty());
  }

  /** A filter whose deletion was cut off. Its source and rebuild may or may not exist. */
  static RemovedFilter unfinished(List<byte[]> fields) {
    return new RemovedFilter(
        "", content(fields), new Written(fields.get(WRITTEN)), true, true, Optional.empty());
  }

  /** Empty if the state does not name it. */
  private static Optional<ContentId> content(List<byte[]> fields) {
    try {
      return Optional.of(
          new ContentId(new FilterName(text(fields, KEY_NAME)), text(fields, INCARNATION)));
    } catch (IllegalArgumentException | BloomException malformed) {
      return Optional.empty();
    }
  }

  private static String text(List<byte[]> fields, int index) {
    return new String(fields.get(index), UTF_8);
  }

  private static Optional<String> optional(List<byte[]> fields, int index) {
    return Optional.of(text(fields, index)).filter(text -> !text.isEmpty());
  }
}
