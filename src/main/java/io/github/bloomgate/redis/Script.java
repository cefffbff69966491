package io.github.bloomgate.redis;

import java.util.Locale;

/** The Lua scripts of the service, in {@code lua/<name>.lua} on the classpath. */
public enum Script {
  /** Appends blocks to journals of segments, reads blocks of other instances, and confirms both. */
  ADVANCE,
  /** Updates the bitmap of a segment, in place or by a string that was written to another key. */
  FOLD,
  /** Tests or adds elements of segments bit by bit. */
  BITS,
  /** Counts, reads or fills content without header and journal. */
  RAW,
  /** Tests or adds elements in content without header and journal. */
  RAW_BITS,
  /** Creates a filter over a library's bitmap. */
  ADOPT,
  /** Creates a filter, or changes fields of its state. */
  WRITE,
  /** Reads a filter. */
  FIND,
  /** Sets or removes a filter's expiry. */
  EXPIRE,
  /** Empties a filter. */
  CLEAR,
  /** Deletes a filter. */
  DELETE,
  /** Sets the expiry of dropped segments. */
  DROP,
  /** Renames a filter. */
  RENAME,
  /** Opens a rebuild. */
  OPEN,
  /** Counts elements loaded by a rebuild, and extends its expiry. */
  LOADED,
  /** Replaces the live generation by the loaded one. */
  COMMIT,
  /** Ends a rebuild and discards its content. */
  ABORT,
  /** Adds a name to the catalogue, if the quotas allow it, or removes it. */
  CATALOGUE,
  /** Sets or removes a filter's source. */
  ATTACH,
  /** Claims the next run of a source, or renews or ends a claim. */
  CLAIM,
  /** Reads members of another program's key. */
  MEMBERS,
  /** Sets when a source is next checked, or lists the names that are due. */
  AGENDA;

  /** The file name without extension; also the label in metrics. */
  public String fileName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
