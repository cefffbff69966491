package io.github.bloomgate.redis;

/** The Lua scripts of the service, in {@code lua/<name>.lua} on the classpath. */
public enum Script {
  /** Succeeds only if Redis accepts writes. A READ nevertheless: it changes nothing. */
  PING("ping", 1, Effect.READ),

  /** Appends blocks to the journals of segments, and reads blocks from other instances. */
  ADVANCE("advance", Effect.WRITE),
  /** Replaces a segment by a string that was written to another key. */
  FOLD("fold", Effect.WRITE),
  /** Updates a segment's bitmap in place. */
  PATCH("patch", Effect.WRITE),
  /** Tests or adds elements bit by bit. */
  BITS("bits", Effect.WRITE),
  /** Writes a key after the appends to segments, for replicas to confirm. */
  BARRIER("barrier", Effect.WRITE),
  /** Tests, adds, counts or reads in content without header and journal. */
  RAW("raw", Effect.WRITE),
  /** Sets bits of content without header and journal from bytes. */
  FILL("fill", Effect.WRITE),
  /** Creates a filter over a library's bitmap. */
  ADOPT("adopt", Effect.WRITE),
  /** Creates a filter. */
  CREATE("create", Effect.WRITE),
  /** Reads a filter. A READ: it may only restore an expiry that was lost in a crash. */
  FIND("find", Effect.READ),
  /** Sets or removes a filter's expiry. */
  EXPIRE("expire", Effect.WRITE),
  /** Empties a filter. */
  CLEAR("clear", Effect.WRITE),
  /** Deletes a filter. */
  DELETE("delete", Effect.WRITE),
  /** Sets the expiry of dropped segments. */
  DROP("drop", Effect.WRITE),
  /** Renames a filter. */
  RENAME("rename", Effect.WRITE),
  /** Opens a rebuild. */
  OPEN("open", Effect.WRITE),
  /** Counts elements loaded by a rebuild, and extends its expiry. */
  LOADED("loaded", Effect.WRITE),
  /** Replaces the live generation by the loaded one. */
  COMMIT("commit", Effect.WRITE),
  /** Ends a rebuild and discards its content. */
  ABORT("abort", Effect.WRITE),
  /** Adds a layer to a generation. */
  GROW("grow", Effect.WRITE),
  /** Adds a name to the catalogue, if the quotas allow it, or removes it. */
  CATALOGUE("catalogue", Effect.WRITE),
  /** Sets a filter's source. */
  ATTACH("attach", Effect.WRITE),
  /** Removes the source of a filter. */
  RELEASE("release", Effect.WRITE),
  /** Claims the next run of a source, or renews a claim. */
  CLAIM("claim", Effect.WRITE),
  /** Records the result of a run. */
  RAN("ran", Effect.WRITE),
  /** Sets when a source is next checked, or lists the names that are due. */
  AGENDA("agenda", Effect.WRITE);

  /** Any number of keys from 1. */
  private static final int ANY = 0;

  private final String fileName;
  private final int keys;
  private final Effect effect;

  Script(String fileName, int keys, Effect effect) {
    this.fileName = fileName;
    this.keys = keys;
    this.effect = effect;
  }

  Script(String fileName, Effect effect) {
    this(fileName, 0, effect);
  }

  /** The file name without extension; also the label in metrics. */
  public String fileName() {
    return fileName;
  }

  /** The number of keys of a call; 0 if it varies. */
  public int keys() {
    return keys;
  }

  boolean takes(int some) {
    return keys == ANY ? some > 0 : some == keys;
  }

  /** Whether a call may change data. */
  public Effect effect() {
    return effect;
  }
}
