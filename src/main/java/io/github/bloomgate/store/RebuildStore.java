package io.github.bloomgate.store;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.redis.Arguments;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptCall;
import io.github.bloomgate.redis.ScriptReply;
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
   * Opens a rebuild. A run of the source must have the claim, and the rebuild is recorded there.
   *
   * @param version the version of the live generation; empty if the filter must not exist
   * @param newVersion its new version
   */
  public ChangeReply open(FilterName name, String version, String newVersion, FilterState next) {
    var loading = next.loading().orElseThrow();
    var keys = new ArrayList<>(List.of(Keys.state(name), Keys.next(name)));
    loading.run().ifPresent(run -> keys.add(Keys.source(name)));
    var arguments =
        new Arguments()
            .add(version)
            .add(newVersion)
            .add(loading.idleTimeout().toMillis())
            .add(next.content().incarnation())
            .add(loading.run().orElse(""));
    arguments.add("definition").add(next.definition());
    arguments.add("version").add(next.version());
    arguments.add("home").add(next.content().keyName().value());
    arguments.add("generation").add(next.number());
    arguments.add("createdAt").add(next.createdAt().toEpochMilli());
    arguments.add("owner").add(next.owner());
    return ChangeReply.ofFilter(change(Script.OPEN, keys, arguments), name);
  }

  private ScriptReply change(Script script, List<String> keys, Arguments arguments) {
    return await(scripts.send(new ScriptCall(script, Effect.WRITE, keys, arguments)));
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
    var arguments = new Arguments().add(next.version()).add(elements).add(renewed.bytes());
    return scripts
        .send(new ScriptCall(Script.LOADED, Effect.WRITE, keys, arguments))
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
   * @param run the run of the source that commits, and ends with this
   * @param adopted the filter's adopted bitmap, which is replaced
   */
  public ChangeReply commit(
      FilterName name,
      Optional<FilterState> live,
      String newVersion,
      FilterState next,
      List<Asked> asked,
      Optional<EndedRun> run,
      NewExpiry expiry,
      Optional<AdoptedBitmap> adopted) {
    var hasSource = live.filter(FilterState::hasSource).isPresent();
    var replaced = live.map(FilterState::replaced);
    var keys = new ArrayList<>(List.of(Keys.state(name), Keys.next(name)));
    if (hasSource) {
      keys.add(Keys.source(name));
    }
    keys.addAll(next.written().keys(next.content()));
    keys.addAll(AdoptedBitmap.keys(adopted));
    keys.addAll(Dropped.keys(replaced));
    var arguments =
        new Arguments()
            .add(live.map(FilterState::version).orElse(""))
            .add(newVersion)
            .add(next.version())
            .add(next.written().bytes())
            .add(run.map(EndedRun::id).orElse(""));
    putExpiry(arguments, expiry, live);
    arguments.add(hasSource);
    AdoptedBitmap.put(arguments, adopted);
    arguments.add(text(adopted, FilterParameters::expectedInsertions));
    arguments.add(text(adopted, FilterParameters::falsePositiveProbability));
    Dropped.put(arguments, replaced);
    arguments.add(Asked.layouts(asked));
    run.ifPresent(ended -> ended.put(arguments));
    if (!expiry.isKept() && !expiry.idle().equals(live.flatMap(FilterState::idle))) {
      FilterState.putIdle(arguments, expiry.idle());
    }
    if (live.isEmpty()) {
      arguments.add("createdAt").add(next.createdAt().toEpochMilli());
      arguments.add("owner").add(next.owner());
    }
    var reply = change(Script.COMMIT, keys, arguments);
    return ChangeReply.ofFilter(AdoptedBitmap.requireKeys(reply, name), name);
  }

  /** Adopted bitmaps have an expiry of their own, which is kept too. */
  private static void putExpiry(Arguments arguments, NewExpiry expiry, Optional<FilterState> live) {
    if (expiry.isKept() && live.flatMap(FilterState::idle).isEmpty()) {
      arguments.add("KEEP");
    } else {
      FilterState.putExpiry(arguments, expiry, live);
    }
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
   * @param run refuses the call if another run has the claim of the source; empty for a client
   * @param ended the run, to end it too if it has the claim
   */
  public ChangeReply abort(
      FilterName name,
      String version,
      String newVersion,
      String incarnation,
      boolean hasNext,
      String run,
      Optional<EndedRun> ended) {
    var keys = new ArrayList<>(List.of(Keys.state(name)));
    if (hasNext) {
      keys.add(Keys.next(name));
    }
    if (!run.isEmpty()) {
      keys.add(Keys.source(name));
    }
    var arguments =
        new Arguments().add(version).add(newVersion).add(incarnation).add(run).add(hasNext);
    ended.ifPresent(its -> its.put(arguments));
    return ChangeReply.ofDropping(change(Script.ABORT, keys, arguments));
  }
}
