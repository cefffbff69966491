package io.github.bloomgate.store;

import io.github.bloomgate.model.Filter;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.Generation;
import io.github.bloomgate.model.Layer;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptReply;
import io.github.bloomgate.redis.Shared;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

/**
 * The layers of filters that grow. Every method is one script on the filter's first segment; the
 * segments of a layer are made in between, see {@link LaterSegments}.
 *
 * <p>All methods fail with {@link BloomException}: STORE_UNAVAILABLE, STORE_OUTCOME_UNKNOWN,
 * STORE_FULL, FILTER_NOT_READY, FILTER_DAMAGED, WRONG_KEY_TYPE; and with {@link
 * StaleFilterException} if the filter is not the one it was.
 */
@ApplicationScoped
public class LayerStore {

  private final FilterScripts scripts;

  /** What is under way here, by the layer that it is for. */
  private final ConcurrentMap<Step, Shared<Optional<Filter>>> underWay = new ConcurrentHashMap<>();

  LayerStore(FilterScripts scripts) {
    this.scripts = scripts;
  }

  /** Does what opens a further layer, once for all requests of this instance that need it now. */
  public Uni<Optional<Filter>> once(Filter filter, Supplier<Uni<Optional<Filter>>> opening) {
    var step =
        new Step(filter.name(), filter.generation(), filter.isNext(), filter.layers().size());
    return underWay
        .computeIfAbsent(
            step,
            ignored ->
                new Shared<>(
                    () -> opening.get().onTermination().invoke(() -> underWay.remove(step))))
        .result();
  }

  /**
   * Notes which layer is about to be made, unless there is one more than the filter was known to
   * have, planned or open.
   */
  public void plan(Filter filter, Layer layer) {
    var keys = Keys.withSegmentSets(filter);
    var reply =
        scripts.call(
            Script.PLAN_LAYER,
            keys,
            request ->
                request
                    .arg(filter.generation().toString())
                    .arg(filter.generation().incarnation())
                    .arg(filter.layers().size())
                    .arg(LayerText.of(layer))
                    .arg(layer.endSegment()));
    expectOk(reply, filter, keys);
  }

  /**
   * Has a layer take elements from now on. Idempotent.
   *
   * @param filter as it was before its segments were activated
   * @param planned the layer that it had planned then
   * @param opened the same, opened
   */
  public void open(Filter filter, Layer planned, Layer opened) {
    var keys = Keys.ofSegment(filter, 0);
    var reply =
        scripts.call(
            Script.OPEN_LAYER,
            keys,
            request ->
                request
                    .arg(filter.generation().toString())
                    .arg(filter.revision())
                    .arg(filter.layers().size())
                    .arg(LayerText.of(planned))
                    .arg(LayerText.of(opened))
                    .arg(opened.endSegment())
                    .arg("0"));
    expectOk(reply, filter, keys);
  }

  /**
   * Waits until replicas know that the last layer of a filter is open.
   *
   * @throws BloomException NOT_REPLICATED if too few do
   */
  public Uni<Void> replicate(Filter filter) {
    var keys = Keys.ofSegment(filter, 0);
    return scripts
        .runReplicated(
            Script.OPEN_LAYER,
            keys,
            request ->
                request
                    .arg(filter.generation().toString())
                    .arg("")
                    .arg(filter.layers().size() - 1)
                    .arg("")
                    .arg("")
                    .arg("")
                    .arg("1"))
        .invoke(reply -> expectOk(reply, filter, keys))
        .replaceWithVoid();
  }

  private static void expectOk(ScriptReply reply, Filter filter, List<String> keys) {
    if (!reply.status().equals("OK")) {
      throw Refusals.of(reply, filter.name(), keys);
    }
  }

  private record Step(FilterName name, Generation generation, boolean isNext, int layers) {}
}
