package io.github.bloomgate.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.FilterName;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The content of a filter that is cleared or deleted. */
class SlotDropTest extends SlotScripts {

  private final FilterName name = name();

  /** Another instance has written the segment since the caller read the filter. */
  @Test
  void contentWithAnUnknownSegmentIsNoted() {
    created(name);
    var before = withSegments(name, 0, 1);
    var noted = new Dropped(before.content(), written(0, 1));
    assertEquals(Optional.of(noted), dropped(clear(name, written(0))));
    assertEquals(Optional.of(noted), found(name).state().dropped());
    assertDeadline(Optional.empty(), before.segmentKey(0));
  }

  /** The instance that cleared the filter died before it dropped the content. */
  @Test
  void contentLeftByADeadInstanceIsDropped() {
    created(name);
    withSegments(name, 0);
    var dropped = dropped(clear(name, Written.NONE)).orElseThrow();
    var still = new ChangeReply.StillToDrop(dropped);
    assertEquals(still, clear(name, Written.NONE));
    assertEquals(still, expire(name, Optional.of(LATER)));
    assertEquals(still, delete(live(name), found(name).state().written()));
    var target = name();
    created(target);
    var version = found(name).state().version();
    assertEquals(
        still, filters.rename(name, name(), version, false, List.of(), RemovedFilter.NONE));
    assertEquals(
        still,
        filters.rename(target, name, live(target).version(), false, List.of(), replaced(version)));
    assertFalse(filters.drop(Optional.of(name), dropped, 0));
    assertDone(delete(live(name), found(name).state().written()));
  }

  /** Another instance was faster, and the filter has been cleared again since. */
  @Test
  void contentIsNotDroppedByAnotherNote() {
    created(name);
    withSegments(name, 0);
    var first = dropped(clear(name, Written.NONE)).orElseThrow();
    filters.drop(Optional.of(name), first, 0);
    var second = withSegments(name, 0);
    dropped(clear(name, Written.NONE));
    assertFalse(filters.drop(Optional.of(name), first, 0));
    assertTrue(found(name).state().dropped().isPresent());
    assertDeadline(Optional.empty(), second.segmentKey(0));
  }
}
