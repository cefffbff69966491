package io.github.bloomgate.store;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptReply;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import java.util.UUID;

/**
 * The segments behind the first one, as they are made and follow it. Every method is one script on
 * one segment.
 *
 * <p>All methods fail with {@link BloomException}: STORE_UNAVAILABLE, STORE_OUTCOME_UNKNOWN,
 * STORE_FULL, FILTER_DAMAGED, WRONG_KEY_TYPE.
 */
@ApplicationScoped
public class LaterSegments {

  private final FilterScripts scripts;

  LaterSegments(FilterScripts scripts) {
    this.scripts = scripts;
  }

  /**
   * Makes a later segment of a filter that is being created, empty and not yet in use. One that is
   * there stays. Idempotent. Fails with {@link StaleFilterException} if it was freed.
   *
   * @return the birth of the segment that is there now, with which it can be activated; empty if it
   *     is in use already
   */
  public Uni<Optional<String>> make(Filter filter, int segment) {
    return Uni.createFrom()
        .deferred(() -> runReconcile(filter, segment, UUID.randomUUID().toString()))
        .map(
            reply ->
                switch (reply.status()) {
                  case "OK" -> Optional.empty();
                  case "MADE" -> Optional.of(reply.text(1));
                  default -> throw SegmentStore.refusal(reply, filter, segment);
                });
  }

  /**
   * Puts a later segment that was made into use, as an empty one of the filter's generation.
   * Idempotent. Fails with {@link StaleFilterException}, and changes nothing, if there is another
   * one by now, or none.
   *
   * @param birth of the segment as {@link #make} told it, before a moment at which the filter was
   *     still being created: only then nothing can have been added to it
   */
  public Uni<Void> activate(Filter filter, int segment, String birth) {
    return scripts
        .run(
            Script.ACTIVATE,
            Keys.ofSegment(filter, segment),
            request -> {
              request.arg(filter.generation().toString());
              request.arg(filter.revision());
              request.arg(birth);
              request.arg(FilterStore.deadline(filter.expiresAt()));
            })
        .invoke(reply -> SegmentStore.expectOk(reply, filter, segment))
        .replaceWithVoid();
  }

  /**
   * Brings a later segment of a filter that is ready to what the filter asks for: of its
   * generation, with its deadline. Idempotent. A segment that is missing is a damage, and so is one
   * that somebody made too late. Fails with {@link StaleFilterException} if it was freed.
   */
  public Uni<Void> reconcile(Filter filter, int segment) {
    return runReconcile(filter, segment, "")
        .invoke(reply -> SegmentStore.expectOk(reply, filter, segment))
        .replaceWithVoid();
  }

  private Uni<ScriptReply> runReconcile(Filter filter, int segment, String birth) {
    return scripts.run(
        Script.RECONCILE,
        Keys.ofSegment(filter, segment),
        request -> {
          request.arg(filter.generation().toString());
          request.arg(filter.revision());
          request.arg(filter.shapeOf(segment).segmentBits());
          request.arg(filter.maxInsertions(segment));
          request.arg(FilterStore.deadline(filter.expiresAt()));
          request.arg(birth);
          FilterState.kindFields(filter.parameters()).forEach(request::arg);
        });
  }

  /** Frees one of the later segments of a filter that is gone. Idempotent. */
  public Uni<Void> free(String incarnation, int segment) {
    return scripts
        .run(Script.FREE, Keys.ofLaterSegment(incarnation, segment), request -> {})
        .replaceWithVoid();
  }
}
