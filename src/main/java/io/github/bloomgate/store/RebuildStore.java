package io.github.bloomgate.store;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptRunner;
import io.github.bloomgate.store.FilterStore.Asked;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Rebuilds: generations that are loaded while the live one is in use, or before a filter exists.
 * Each method is one script. All but {@link #loaded} block. Fails as {@link ScriptRunner}.
 * Thread-safe.
 */
@Singleton
public class RebuildStore {

  private final ScriptRunner scripts;

  RebuildStore(ScriptRunner scripts) {
    this.scripts = scripts;
  }

  /**
   * Opens a rebuild.
   *
   * @param version the version of the live generation; empty if the filter must not exist
   * @param newVersion its new version
   */
  public ChangeReply open(FilterName name, String version, String newVersion, FilterState next) {
    var loading = next.loading().orElseThrow();
    return ChangeReply.ofFilter(
        scripts.call(
            Script.OPEN,
            List.of(SlotKeys.state(name), SlotKeys.next(name)),
            request -> {
              request.arg(version).arg(newVersion).arg(loading.idleTimeout().toMillis());
              request.arg(next.content().incarnation());
              request.arg("definition").arg(next.definition());
              request.arg("version").arg(next.version());
              request.arg("home").arg(next.content().keyName().value());
              request.arg("generation").arg(next.number());
              request.arg("createdAt").arg(next.createdAt().toEpochMilli());
              request.arg("owner").arg(next.owner()).arg("run").arg(loading.run().orElse(""));
            }),
        name);
  }

  /**
   * Counts elements that were loaded, and extends the expiry of the rebuild.
   *
   * @param renewed the segments of an earlier {@link ChangeReply.OtherSegments}; none at first
   */
  public Uni<ChangeReply> loaded(StoredGeneration next, long elements, Written renewed) {
    var keys = new ArrayList<String>();
    keys.add(next.stateKey());
    keys.addAll(renewed.keys(next.content()));
    return scripts
        .run(
            Script.LOADED,
            Effect.WRITE,
            keys,
            request -> request.arg(next.version()).arg(elements).arg(renewed.bytes()))
        .map(ChangeReply::of);
  }

  /**
   * Replaces the live generation by the loaded one.
   *
   * @param live the state of the live generation, as the caller read it; empty if the filter must
   *     not exist
   * @param newVersion the new version of the filter
   * @param next the state of the loaded generation, as the caller read it
   * @param asked all segments of that in order, to read their headers too, or none
   * @param run the run of the source that commits; empty for none
   * @param adopted the filter's adopted bitmap, which is replaced
   */
  public ChangeReply commit(
      FilterName name,
      Optional<FilterState> live,
      String newVersion,
      FilterState next,
      List<Asked> asked,
      String run,
      NewExpiry expiry,
      Optional<AdoptedBitmap> adopted) {
    var hasSource = live.filter(FilterState::hasSource).isPresent();
    var replaced = live.map(FilterState::replaced);
    var keys = new ArrayList<>(List.of(SlotKeys.state(name), SlotKeys.next(name)));
    if (hasSource) {
      keys.add(SlotKeys.source(name));
    }
    keys.addAll(next.written().keys(next.content()));
    keys.addAll(AdoptedBitmap.keys(adopted));
    keys.addAll(Dropped.keys(replaced));
    var reply =
        scripts.call(
            Script.COMMIT,
            keys,
            request -> {
              request
                  .arg(live.map(FilterState::version).orElse(""))
                  .arg(newVersion)
                  .arg(next.version())
                  .arg(next.written().bytes())
                  .arg(run)
                  .arg(expiry.isKept() ? "KEEP" : FilterStore.millis(expiry.expiresAt()))
                  .arg(FilterStore.flag(hasSource));
              AdoptedBitmap.put(request, adopted);
              request.arg(text(adopted, FilterParameters::expectedInsertions));
              request.arg(text(adopted, FilterParameters::falsePositiveProbability));
              Dropped.put(request, replaced);
              request.arg(FilterStore.layouts(asked));
              if (live.isEmpty()) {
                request.arg("createdAt").arg(next.createdAt().toEpochMilli());
                request.arg("owner").arg(next.owner());
              }
            });
    return ChangeReply.ofFilter(AdoptedBitmap.requireKeys(reply, name), name);
  }

  private static String text(
      Optional<AdoptedBitmap> adopted, Function<FilterParameters, Object> number) {
    return adopted.map(AdoptedBitmap::parameters).map(number).map(Object::toString).orElse("");
  }

  /**
   * Ends a rebuild and discards its content.
   *
   * @param version the version of the live generation; empty if the filter must not exist
   * @param hasNext whether the state of the next generation is known to exist; false if the rebuild
   *     has expired
   */
  public ChangeReply abort(
      FilterName name,
      String version,
      String newVersion,
      String incarnation,
      boolean hasNext,
      String run) {
    var keys = new ArrayList<>(List.of(SlotKeys.state(name)));
    if (hasNext) {
      keys.add(SlotKeys.next(name));
    }
    if (!run.isEmpty()) {
      keys.add(SlotKeys.source(name));
    }
    return ChangeReply.ofDropping(
        scripts.call(
            Script.ABORT,
            keys,
            request ->
                request
                    .arg(version)
                    .arg(newVersion)
                    .arg(incarnation)
                    .arg(run)
                    .arg(FilterStore.flag(hasNext))));
  }
}
