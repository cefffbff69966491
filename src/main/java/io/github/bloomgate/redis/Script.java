package io.github.bloomgate.redis;

/** The Lua scripts of the service, each a file {@code lua/<name>.lua} on the classpath. */
public enum Script {
  /** Answers only where writing is allowed. A READ all the same: it never changes anything. */
  PING("ping", 1, Effect.READ),

  /** Appends blocks to the journals of segments, and reads what other instances appended. */
  ADVANCE("advance", Effect.WRITE),
  /** Replaces a segment by a string that was written beside it. */
  FOLD("fold", Effect.WRITE),
  /** Brings a segment's bitmap up to date in place. */
  PATCH("patch", Effect.WRITE),
  /** Tests or adds elements bit by bit. */
  BITS("bits", Effect.WRITE),
  /** Writes something behind what was appended to segments, for replicas to confirm. */
  BARRIER("barrier", Effect.WRITE),
  /** Tests, adds, counts or reads in content without header and journal. */
  RAW("raw", Effect.WRITE),
  /** Sets bits of such content from bytes. */
  FILL("fill", Effect.WRITE),
  /** Creates a filter over a library's bitmap. */
  ADOPT("adopt", Effect.WRITE),
  /** Creates a filter. */
  CREATE("create", Effect.WRITE),
  /** Reads a filter. A READ: all it may write is a deadline that a crash cut off. */
  FIND("find", Effect.READ),
  /** Sets or removes a filter's deadline. */
  EXPIRE("expire", Effect.WRITE),
  /** Empties a filter. */
  CLEAR("clear", Effect.WRITE),
  /** Deletes a filter. */
  DELETE("delete", Effect.WRITE),
  /** Gives dropped segments a time to live. */
  DROP("drop", Effect.WRITE),
  /** Renames a filter. */
  RENAME("rename", Effect.WRITE),
  /** Opens a rebuild. */
  OPEN("open", Effect.WRITE),
  /** Counts elements loaded by a rebuild, and keeps it from expiring. */
  LOADED("loaded", Effect.WRITE),
  /** Replaces the live generation by the one that a rebuild loaded. */
  COMMIT("commit", Effect.WRITE),
  /** Ends a rebuild without its content. */
  ABORT("abort", Effect.WRITE),
  /** Adds a layer to a generation. */
  GROW("grow", Effect.WRITE),
  /** Enters a name in the catalogue, if the quotas allow it. */
  ENTER("enter", Effect.WRITE),
  /** Removes a name from the catalogue. */
  LEAVE("leave", Effect.WRITE),
  /** Gives a filter a source. */
  ATTACH("attach", Effect.WRITE),
  /** Removes the source of a filter. */
  RELEASE("release", Effect.WRITE),
  /** Claims the next run of a source, or renews a claim. */
  CLAIM("claim", Effect.WRITE),
  /** Records how a run ended. */
  RAN("ran", Effect.WRITE),
  /** Sets when a source is looked at, or lists the names that are due. */
  AGENDA("agenda", Effect.WRITE);

  /** The number of keys of a script that takes any number from 1 on. */
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

  /** The name of the file below {@code lua}, without its ending; also the label in metrics. */
  public String fileName() {
    return fileName;
  }

  /** How many keys a call of the script usually takes; 0 if that depends on the call. */
  public int keys() {
    return keys;
  }

  /** Whether a call may have so many keys. */
  boolean takes(int some) {
    return keys == ANY ? some > 0 : some == keys;
  }

  /** Whether a call may change data. */
  public Effect effect() {
    return effect;
  }
}
