package io.github.bloomgate.model;

/**
 * Which content the bitmap of a segment holds, within its generation: how many bits are set and the
 * random mark that the last change left, as the scripts tell it. Two histories of a segment have no
 * version in common but that of no bit, whatever was restored, promoted or swapped.
 *
 * @param text as it is told; empty if it is not known, as of a bitmap that others change too
 */
public record BitmapVersion(String text) {

  /** What tells nothing of a bitmap. */
  public static final BitmapVersion UNKNOWN = new BitmapVersion("");

  /** Whether it tells anything. */
  public boolean isKnown() {
    return !text.isEmpty();
  }

  /** Whether bitmaps of both versions hold the same bits for certain. */
  public boolean isSameAs(BitmapVersion other) {
    return isKnown() && text.equals(other.text);
  }
}
