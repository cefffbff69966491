package io.github.bloomgate.docs;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.elements.ElementService;
import io.github.bloomgate.filters.OrderedLists;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.rebuild.MergeService;
import io.github.bloomgate.store.SegmentStore;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** The limits that the documentation names are those of the code. */
class LimitsDocTest {

  @Test
  void theLimitsOfRequestsAreNamed() {
    expect("docs/limits.md", "1 to %d characters", FilterName.MAX_LENGTH);
    expect("docs/limits.md", "%,d elements a request", ElementService.MAX_ELEMENTS);
    expect("docs/limits.md", "%,d bytes an element", ElementService.MAX_ELEMENT_BYTES);
    expect("docs/limits.md", "up to %d filters at once", MergeService.MAX_FILTERS);
    expect("docs/limits.md", "`numHashFunctions` | 1 to %d", FilterParameters.MAX_HASH_FUNCTIONS);
    expect("docs/limits.md", "`bitSize` | up to 2^%d", log2(FilterParameters.MAX_BIT_SIZE));
    expect("docs/limits.md", "(api.md#order-by-figures) | %,d filters;", OrderedLists.MAX_FILTERS);
    expect("docs/api.md", "More than %,d filters are refused", OrderedLists.MAX_FILTERS);
    expect("docs/console.md", "of up to %,d filters", OrderedLists.MAX_FILTERS);
    expect("docs/api.md", "Up to %,d elements", ElementService.MAX_ELEMENTS);
    expect("docs/api.md", "bytes, at most %,d", ElementService.MAX_ELEMENT_BYTES);
    expect("docs/api.md", "up to %d filters at once", MergeService.MAX_FILTERS);
  }

  @Test
  void pagesNameTheLimitOfOneCall() {
    expect("docs/storage-layout.md", "most %d bit operations", SegmentStore.MAX_BITS_PER_CALL);
    expect("docs/operations.md", "more than %d bit operations", SegmentStore.MAX_BITS_PER_CALL);
  }

  @Test
  void theSecurityPageNamesTheLimitsOfRequests() {
    expect("docs/security.md", "%,d elements a request", ElementService.MAX_ELEMENTS);
    expect("docs/security.md", "%,d bytes an element", ElementService.MAX_ELEMENT_BYTES);
  }

  private static void expect(String page, String format, int limit) {
    var text = String.format(Locale.ROOT, format, limit);
    var words = MarkdownFile.read(page).text().replaceAll("\\s+", " ");
    assertTrue(words.contains(text), page + " does not say: " + text);
  }

  private static int log2(long power) {
    return Long.numberOfTrailingZeros(power);
  }
}
