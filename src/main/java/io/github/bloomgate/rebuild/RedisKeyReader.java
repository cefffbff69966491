package io.github.bloomgate.rebuild;

import io.github.bloomgate.lines.ElementEncoding;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.source.Origin;
import io.github.bloomgate.rebuild.source.SourceReader;
import io.github.bloomgate.store.SourceMembers;
import io.github.bloomgate.store.SourceMembers.Page;
import java.util.List;
import java.util.Optional;

/** Reads the members of a Redis key, page by page. */
final class RedisKeyReader implements SourceReader {

  private final SourceMembers members;
  private final Origin.RedisKey source;

  /** The page that was read last; empty at the end. */
  private Optional<Page> page;

  /**
   * Reads the first page.
   *
   * @throws BloomException SOURCE_UNREADABLE if the key is missing or of another type
   */
  RedisKeyReader(SourceMembers members, Origin.RedisKey source) {
    this.members = members;
    this.source = source;
    this.page = Optional.of(members.first(source));
  }

  @Override
  public List<byte[]> next() {
    // An empty page may be followed by others.
    while (page.isPresent()) {
      var elements = page.get().members();
      page = page.filter(its -> !its.isLast()).map(its -> members.after(its, source));
      if (!elements.isEmpty()) {
        requireShort(elements);
        return elements;
      }
    }
    return List.of();
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
    page = Optional.empty();
  }
}
