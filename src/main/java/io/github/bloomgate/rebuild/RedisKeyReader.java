package io.github.bloomgate.rebuild;

import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.lines.ElementEncoding;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.rebuild.source.SourceReader;
import io.github.bloomgate.store.SourceMembers;
import io.github.bloomgate.store.SourceMembers.Kind;
import io.github.bloomgate.store.SourceMembers.Position;
import java.util.List;
import java.util.Optional;

/** Reads the members of a Redis key, page by page. */
final class RedisKeyReader implements SourceReader {

  private final SourceMembers members;
  private final Origin.RedisKey source;
  private final Kind kind;
  private Optional<Position> next = Optional.of(Position.BEGIN);

  /**
   * Reads the type of the key.
   *
   * @throws BloomException SOURCE_UNREADABLE if it is missing or of another type
   */
  RedisKeyReader(SourceMembers members, Origin.RedisKey source) {
    this.members = members;
    this.source = source;
    this.kind = members.kind(source);
  }

  @Override
  public List<byte[]> next() {
    // An empty page may be followed by others.
    while (next.isPresent()) {
      var page = members.page(source, kind, next.get());
      next = page.next();
      if (!page.members().isEmpty()) {
        requireShort(page.members());
        return page.members();
      }
    }
    requireStillThere();
    return List.of();
  }

  /** A key that is deleted during the read looks like one that has ended. */
  private void requireStillThere() {
    if (members.kind(source) != kind) {
      throw RebuildErrors.sourceUnreadable(
          "The Redis key of the source was replaced by one of another type while it was read.");
    }
  }

  private static void requireShort(List<byte[]> elements) {
    for (var element : elements) {
      if (element.length > ElementEncoding.MAX_ELEMENT_BYTES) {
        throw RebuildErrors.sourceUnreadable(
            "The source has an element of %d bytes; the limit is %d. Remove it."
                .formatted(element.length, ElementEncoding.MAX_ELEMENT_BYTES));
      }
    }
  }

  @Override
  public void close() {
    next = Optional.empty();
  }
}
