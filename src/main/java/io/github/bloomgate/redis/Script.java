package io.github.bloomgate.redis;

import java.util.Locale;

/** The Lua scripts of the service, in {@code lua/<name>.lua} on the classpath. */
public enum Script {
  /** Succeeds only if Redis accepts writes. A READ nevertheless: it changes nothing. */
  PING(Effect.READ),

  /** Appends blocks to the journals of segments, and reads blocks from other instances. */
  ADVANCE(Effect.WRITE),
  /** Replaces a segment by a string that was written to another key. */
  FOLD(Effect.WRITE),
  /** Updates a segment's bitmap in place. */
  PATCH(Effect.WRITE),
  /** Tests or adds elements of segments bit by bit. */
  BITS(Effect.WRITE),
  /** Writes a key after the appends to segments, for replicas to confirm. */
  BARRIER(Effect.WRITE),
  /** Counts or reads content without header and journal. */
  RAW(Effect.READ),
  /** Tests or adds elements in content without header and journal. */
  RAW_BITS(Effect.WRITE),
  /** Sets bits of content without header and journal from bytes. */
  FILL(Effect.WRITE),
  /** Creates a filter over a library's bitmap. */
  ADOPT(Effect.WRITE),
  /** Creates a filter, or changes fields of its state. */
  WRITE(Effect.WRITE),
  /** Reads a filter. A READ: it may only restore an expiry that was lost in a crash. */
  FIND(Effect.READ),
  /** Sets or removes a filter's expiry. */
  EXPIRE(Effect.WRITE),
  /** Empties a filter. */
  CLEAR(Effect.WRITE),
  /** Deletes a filter. */
  DELETE(Effect.WRITE),
  /** Sets the expiry of dropped segments. */
  DROP(Effect.WRITE),
  /** Renames a filter. */
  RENAME(Effect.WRITE),
  /** Opens a rebuild. */
  OPEN(Effect.WRITE),
  /** Counts elements loaded by a rebuild, and extends its expiry. */
  LOADED(Effect.WRITE),
  /** Replaces the live generation by the loaded one. */
  COMMIT(Effect.WRITE),
  /** Ends a rebuild and discards its content. */
  ABORT(Effect.WRITE),
  /** Adds a name to the catalogue, if the quotas allow it, or removes it. */
  CATALOGUE(Effect.WRITE),
  /** Sets or removes a filter's source. */
  ATTACH(Effect.WRITE),
  /** Claims the next run of a source, or renews or ends a claim. */
  CLAIM(Effect.WRITE),
  /** Reads members of another program's key. */
  MEMBERS(Effect.READ),
  /** Sets when a source is next checked, or lists the names that are due. */
  AGENDA(Effect.WRITE);

  private final Effect effect;

  Script(Effect effect) {
    this.effect = effect;
  }

  /** The file name without extension; also the label in metrics. */
  public String fileName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether a call may change data. */
  public Effect effect() {
    return effect;
  }
}
