package io.github.bloomgate.redis;

/** The Lua scripts of the service, each a file {@code lua/<name>.lua} on the classpath. */
public enum Script {
  /** Answers only where writing is allowed. A READ all the same: it never changes anything. */
  PING("ping", 1, Effect.READ),

  /** Adds elements to a segment. */
  ADD("add", 2, Effect.WRITE),
  /** Tests elements against a segment. */
  TEST("test", 2, Effect.READ),
  /** Removes elements from a segment with counters. */
  REMOVE("remove", 2, Effect.WRITE),
  /** Tells how often elements were added to such a segment. */
  MULTIPLICITY("multiplicity", 2, Effect.READ),
  /** Reads bytes of a segment. */
  READ("read", 2, Effect.READ),
  /** Sets bits of a segment from bytes. */
  UNION("union", 4, Effect.WRITE),
  /** Journals what is added to a segment, and tells what others have. */
  ADVANCE("advance", 4, Effect.WRITE),
  /** Reads a whole segment, to follow its journal. A READ: what it may note changes nothing. */
  FOLLOW("follow", 2, Effect.READ),
  /** Puts a new snapshot in the place of a segment's. */
  FOLD("fold", 2, Effect.WRITE),
  /** Brings a segment's snapshot further by its journal, which changes nothing of its content. */
  REPLAY("replay", 2, Effect.READ),
  /** Reads the state of a segment. */
  DESCRIBE("describe", 2, Effect.READ),
  /** Reads a filter. */
  FIND("find", 3, Effect.READ),
  /** Reads some filters. */
  GLANCE("glance", 3, Effect.READ),
  /** Confirms that a filter is still the live one. */
  VERIFY("verify", 2, Effect.READ),
  /** Counts the bits of an adopted bitmap. */
  COUNT("count", 2, Effect.READ),

  /** Makes a filter of a library's bitmap. */
  ADOPT("adopt", 7, Effect.WRITE),
  /** Reads the hash that a library keeps beside its bitmap. */
  CONFIG("config", 1, Effect.READ),

  /** Creates a filter. */
  CREATE("create", 6, Effect.WRITE),
  /** Empties a filter. */
  CLEAR("clear", 6, Effect.WRITE),
  /** Sets or removes a filter's deadline. */
  EXPIRE("expire", 6, Effect.WRITE),
  /** Deletes a filter. */
  DELETE("delete", 6, Effect.WRITE),
  /** Gives a filter another name. */
  RENAME("rename", 12, Effect.WRITE),

  /** Notes a move to a name in another slot. */
  MOVE_OPEN("move-open", 1, Effect.WRITE),
  /** Fences a filter that moves to another slot, and reads all of it but its bitmaps. */
  MOVE_FENCE("move-fence", 6, Effect.WRITE),
  /** Reads a piece of a bitmap of a fenced filter. */
  MOVE_READ("move-read", 2, Effect.READ),
  /** Writes it where the filter moves to. */
  MOVE_WRITE("move-write", 2, Effect.WRITE),
  /** Gives a filter that was copied its new name. */
  MOVE_COMMIT("move-commit", 9, Effect.WRITE),
  /** Keeps a committed move from being ended by others for a while. */
  MOVE_HOLD("move-hold", 1, Effect.WRITE),
  /** Tells how a move ended, or undoes it. */
  MOVE_DECIDE("move-decide", 3, Effect.WRITE),
  /** Removes the fence of an ended move, or what is behind it. */
  MOVE_END("move-end", 6, Effect.WRITE),
  /** Forgets an ended move. */
  MOVE_CLOSE("move-close", 1, Effect.WRITE),
  /** Opens a rebuild. */
  OPEN("open", 6, Effect.WRITE),
  /** Counts elements loaded into the next generation. */
  LOADED("loaded", 2, Effect.WRITE),
  /** Puts the next generation in the place of the live one. */
  COMMIT("commit", 6, Effect.WRITE),
  /** Drops the next generation. */
  ABORT("abort", 6, Effect.WRITE),

  /** Reads what there is to reconcile under a name. */
  OUTLINE("outline", 6, Effect.READ),
  /** Lets a later segment follow the first, or makes it. */
  RECONCILE("reconcile", 2, Effect.WRITE),
  /** Puts a later segment that was made into use. */
  ACTIVATE("activate", 2, Effect.WRITE),
  /** Plans another layer. */
  PLAN_LAYER("plan-layer", 3, Effect.WRITE),
  /** Opens a layer that was planned and made. */
  OPEN_LAYER("open-layer", 2, Effect.WRITE),
  /** Frees a later segment of a filter that is gone. */
  FREE("free", 2, Effect.WRITE),
  /** Notes that all segments have followed. */
  FINISH("finish", 6, Effect.WRITE),
  /** Puts a name on the list of filters to be reconciled. */
  INTEND("intend", 1, Effect.WRITE),
  /** Lists names that are on it. */
  INTENTS("intents", 1, Effect.READ),
  /** Takes a name off it, or puts it back to its end. */
  RESOLVE("resolve", 1, Effect.WRITE),

  /** Reserves what a filter is about to take, if the quotas allow it. */
  RESERVE("reserve", 3, Effect.WRITE),
  /** Notes that what was reserved was made. */
  MADE("made", 3, Effect.WRITE),
  /** Tells when names were last changed that count for quotas. */
  COUNTED("counted", 3, Effect.READ),
  /** Notes what there is under a name. */
  RECOUNT("recount", 3, Effect.WRITE),
  /** Adds up the bytes of all names with a prefix. */
  TOTAL("total", 3, Effect.WRITE),
  /** Begins or ends the counting of all filters. */
  TALLY("tally", 3, Effect.WRITE),

  /** Gives a filter a source. */
  ATTACH("attach", 2, Effect.WRITE),
  /** Takes a filter's source away. */
  DETACH("detach", 2, Effect.WRITE),
  /** Reads a filter's source. */
  ORIGIN("origin", 2, Effect.READ),
  /** Claims the next run of a source. */
  CLAIM("claim", 2, Effect.WRITE),
  /** Renews the claim of a run. */
  RENEW("renew", 2, Effect.WRITE),
  /** Records how a run ended. */
  RAN("ran", 2, Effect.WRITE),
  /** Has a source looked at by a certain time. */
  SCHEDULE("schedule", 1, Effect.WRITE),
  /** Lists names whose sources may be due. */
  DUE("due", 1, Effect.READ),
  /** Has a source looked at again at another time, or not at all. */
  RESCHEDULE("reschedule", 1, Effect.WRITE);

  /** Keys of the lists that all names are in. */
  private static final int LISTS = 5;

  private final String fileName;
  private final int keys;
  private final Effect effect;

  Script(String fileName, int keys, Effect effect) {
    this.fileName = fileName;
    this.keys = keys;
    this.effect = effect;
  }

  /** The name of the file without folder and ending; also the label in metrics. */
  public String fileName() {
    return fileName;
  }

  /** How many keys a call of the script usually takes. */
  public int keys() {
    return keys;
  }

  /**
   * Whether a call may have so many keys: the script's; one more if it is on a bitmap with a
   * config; of one with the elements of a later segment the first segment's as well; of a script on
   * several segments or filters those of each; and of one that brings all lists along the keys of
   * these, and of later segments.
   */
  boolean takes(int some) {
    if (some == keys || some == keys + 1) {
      return true;
    }
    return switch (this) {
      case ADD, TEST, REMOVE, MULTIPLICITY -> some == 2 * keys;
      case ADVANCE, GLANCE -> some > 0 && some % keys == 0;
      case COMMIT ->
          some == keys + 1 + LISTS || (some >= keys + LISTS && isEven(some - keys - LISTS));
      default -> false;
    };
  }

  private static boolean isEven(int number) {
    return number % 2 == 0;
  }

  /** Whether a call may change data. */
  public Effect effect() {
    return effect;
  }
}
