package io.github.bloomgate.store;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.model.ContentId;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.redis.Arguments;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptCall;
import io.github.bloomgate.redis.ScriptReply;
import io.github.bloomgate.redis.ScriptRunner;
import io.github.bloomgate.segment.SegmentFormat;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The states of filters, from creation to deletion. Each method is one script, except {@link
 * #findWhole}. All that do not read a filter block. Fails as {@link ScriptRunner}. Thread-safe.
 *
 * <p>If a reply names dropped content, the caller must call {@link #drop} until it returns false.
 */
@Singleton
public class FilterStore {

  /** The most segments of a call of {@link #find} and {@link #drop}, of 2 ms each. */
  public static final int MAX_SEGMENTS_PER_CALL = 1_024;

  private final ScriptRunner scripts;

  FilterStore(ScriptRunner scripts) {
    this.scripts = scripts;
  }

  /** A segment whose header is read. */
  public record Asked(StoredGeneration generation, int segment, SegmentFormat format) {

    public String key() {
      return generation.segmentKey(segment);
    }

    /** The lengths of bitmaps and headers as scripts take them. */
    static String layouts(List<Asked> segments) {
      return segments.stream()
          .map(asked -> asked.format.bitmapBytes() + " " + asked.format.headerBytes())
          .collect(Collectors.joining(" "));
    }
  }

  /** Creates a filter without segments. */
  public ChangeReply create(FilterName name, FilterState state) {
    var arguments = new Arguments().add("").add(state.expiresAt());
    state.putNew(arguments);
    arguments.add("expiresAt").add(state.expiresAt());
    if (state.idle().isPresent()) {
      FilterState.putIdle(arguments, state.idle());
    }
    if (state.isTemplate()) {
      arguments.add("template").add(true);
    }
    return ChangeReply.of(change(Script.WRITE, List.of(Keys.state(name)), arguments));
  }

  private ScriptReply change(Script script, List<String> keys, Arguments arguments) {
    return await(scripts.send(new ScriptCall(script, Effect.WRITE, keys, arguments)));
  }

  /**
   * Reads a filter. Fails with WRONG_KEY_TYPE.
   *
   * @param hasNext whether the state of a next generation is known to exist
   * @param segments at most {@link #MAX_SEGMENTS_PER_CALL}
   */
  public Uni<FindReply> find(FilterName name, boolean hasNext, List<Asked> segments) {
    var keys = new ArrayList<String>();
    keys.add(Keys.state(name));
    if (hasNext) {
      keys.add(Keys.next(name));
    }
    segments.forEach(asked -> keys.add(asked.key()));
    var arguments = new Arguments().add(hasNext).add(Asked.layouts(segments));
    return scripts
        .send(new ScriptCall(Script.FIND, Effect.READ, keys, arguments))
        .map(reply -> FindReply.of(reply, name, keys));
  }

  /** Reads a filter and, in a second call, the next generation if it has one. */
  public Uni<FindReply> findWhole(FilterName name) {
    return find(name, false, List.of())
        .chain(
            reply ->
                reply instanceof FindReply.Found found && found.state().next().isPresent()
                    ? find(name, true, List.of())
                    : Uni.createFrom().item(reply));
  }

  /** Whether a filter can be renamed: on a cluster both names must be in one slot. */
  public boolean isOneSlot(FilterName name, FilterName newName) {
    return scripts.isOneSlot(Keys.state(name), Keys.state(newName));
  }

  /**
   * Sets, removes or postpones the expiry of a filter whose state the caller has read.
   *
   * @param newVersion of a filter that begins or ceases to expire when idle, so that other
   *     instances learn of it
   * @param next the state of the generation that an open rebuild loads, as the caller read it
   * @param asked all its segments in order, to read their headers too; or none
   * @param adopted its adopted bitmap, which gets the same expiry
   */
  public ChangeReply expire(
      FilterName name,
      FilterState state,
      String newVersion,
      Optional<FilterState> next,
      NewExpiry expiry,
      List<Asked> asked,
      Optional<AdoptedBitmap> adopted) {
    var keys = new ArrayList<String>();
    keys.add(Keys.state(name));
    next.ifPresent(
        its -> {
          keys.add(Keys.next(name));
          keys.addAll(its.written().keys(its.content()));
        });
    var ofNext = keys.size() - 1;
    if (state.hasSource()) {
      keys.add(Keys.source(name));
    }
    keys.addAll(state.written().keys(state.content()));
    keys.addAll(AdoptedBitmap.keys(adopted));
    var arguments = new Arguments().add(state.version()).add(state.written().bytes());
    FilterState.putExpiry(arguments, expiry, Optional.of(state));
    arguments.add(state.hasSource());
    AdoptedBitmap.put(arguments, adopted);
    arguments
        .add(Asked.layouts(asked))
        .add(ofNext)
        .add(next.map(FilterState::written).orElse(Written.NONE).bytes());
    if (!expiry.isKept() && !expiry.idle().equals(state.idle())) {
      arguments.add("version").add(newVersion);
      FilterState.putIdle(arguments, expiry.idle());
    }
    var reply = change(Script.EXPIRE, keys, arguments);
    return ChangeReply.ofFilter(AdoptedBitmap.requireKeys(reply, name), name);
  }

  /**
   * Empties a filter whose state the caller has read.
   *
   * @param adopted its adopted bitmap, which is emptied too
   */
  public ChangeReply clear(
      FilterName name,
      FilterState state,
      String newVersion,
      ContentId newContent,
      Optional<AdoptedBitmap> adopted) {
    var replaced = Optional.of(state.replaced());
    var keys = new ArrayList<>(List.of(Keys.state(name)));
    keys.addAll(AdoptedBitmap.keys(adopted));
    keys.addAll(Dropped.keys(replaced));
    var arguments =
        new Arguments()
            .add(state.version())
            .add(newVersion)
            .add(newContent.keyName().value())
            .add(newContent.incarnation());
    AdoptedBitmap.put(arguments, adopted);
    Dropped.put(arguments, replaced);
    var reply = change(Script.CLEAR, keys, arguments);
    return ChangeReply.ofFilter(AdoptedBitmap.requireKeys(reply, name), name);
  }

  /**
   * Deletes a filter, the next generation and the source.
   *
   * @param adopted its adopted bitmap, to delete that too
   */
  public ChangeReply delete(
      FilterName name, RemovedFilter filter, Optional<AdoptedBitmap> adopted) {
    var keys = new ArrayList<>(List.of(Keys.state(name)));
    if (filter.hasNext()) {
      keys.add(Keys.next(name));
    }
    if (filter.hasSource()) {
      keys.add(Keys.source(name));
    }
    keys.addAll(AdoptedBitmap.keys(adopted));
    var others = keys.size() - 1;
    filter.content().ifPresent(its -> keys.addAll(filter.written().keys(its)));
    var arguments =
        new Arguments()
            .add(filter.version())
            .add(filter.written().bytes())
            .add(others)
            .add(filter.hasSource());
    AdoptedBitmap.put(arguments, adopted);
    filter.putNext(arguments);
    var reply = change(Script.DELETE, keys, arguments);
    return ChangeReply.of(AdoptedBitmap.requireKeys(reply, name));
  }

  /**
   * Makes some segments of dropped content expire within a minute.
   *
   * @param name the filter whose state has the note; empty for none
   * @param from the number of segments already dropped
   * @return whether there are more, from {@code from + MAX_SEGMENTS_PER_CALL}
   */
  public boolean drop(Optional<FilterName> name, Dropped dropped, int from) {
    var segments = dropped.keys();
    var end = Math.min(segments.size(), from + MAX_SEGMENTS_PER_CALL);
    var keys = new ArrayList<String>();
    name.ifPresent(its -> keys.add(Keys.state(its)));
    keys.addAll(segments.subList(from, end));
    if (keys.isEmpty()) {
      return false;
    }
    var isLast = end == segments.size();
    var arguments = new Arguments();
    if (name.isPresent()) {
      arguments.add(dropped.bytes()).add(isLast);
    }
    var reply = change(Script.DROP, keys, arguments);
    return switch (reply.status()) {
      case "OK" -> !isLast;
      // Another caller was faster.
      case "CHANGED" -> false;
      default -> throw reply.unexpectedStatus();
    };
  }

  /** Replaces the definition of a generation, to add a layer. */
  public ChangeReply grow(StoredGeneration generation, String newVersion, String definition) {
    var arguments =
        new Arguments()
            .add(generation.version())
            .add("")
            .add("version")
            .add(newVersion)
            .add("definition")
            .add(definition);
    return ChangeReply.of(change(Script.WRITE, List.of(generation.stateKey()), arguments));
  }

  /**
   * Renames a filter, with its source and open rebuild. Its segments keep their keys.
   *
   * @param asked segments whose headers are read too
   * @param replaced the filter to replace; {@link RemovedFilter#NONE} if the new name must be free
   */
  public ChangeReply rename(
      FilterName name,
      FilterName newName,
      String version,
      boolean hasSource,
      List<Asked> asked,
      RemovedFilter replaced) {
    var keys = new ArrayList<>(List.of(Keys.state(name), Keys.state(newName)));
    keys.addAll(List.of(Keys.next(name), Keys.next(newName)));
    keys.addAll(List.of(Keys.source(name), Keys.source(newName)));
    asked.forEach(segment -> keys.add(segment.key()));
    keys.addAll(Dropped.keys(replaced.dropped()));
    var arguments =
        new Arguments()
            .add(version)
            .add(replaced.version())
            .add(hasSource)
            .add(Asked.layouts(asked));
    Dropped.put(arguments, replaced.dropped());
    replaced.putNext(arguments);
    return ChangeReply.ofFilter(change(Script.RENAME, keys, arguments), newName);
  }
}
