package io.github.bloomgate.store;

import io.github.bloomgate.model.ContentId;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.redis.Effect;
import io.github.bloomgate.redis.Script;
import io.github.bloomgate.redis.ScriptRunner;
import io.github.bloomgate.segment.SegmentFormat;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Request;
import jakarta.inject.Singleton;
import java.time.Instant;
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
  }

  /** The lengths of bitmaps and headers as scripts take them. */
  static String layouts(List<Asked> segments) {
    return segments.stream()
        .map(asked -> asked.format().bitmapBytes() + " " + asked.format().headerBytes())
        .collect(Collectors.joining(" "));
  }

  /** Creates a filter without segments. */
  public ChangeReply create(FilterName name, FilterState state) {
    return ChangeReply.of(
        scripts.call(
            Script.WRITE,
            List.of(SlotKeys.state(name)),
            request -> {
              request.arg("").arg(millis(state.expiresAt()));
              putNew(request, state);
              request.arg("expiresAt").arg(millis(state.expiresAt()));
            }));
  }

  /** The fields of a new filter, except its expiry. */
  static void putNew(Request request, FilterState state) {
    request.arg("createdAt").arg(state.createdAt().toEpochMilli());
    request.arg("written").arg("").arg("next").arg("").arg("dropped").arg("");
    request.arg("definition").arg(state.definition());
    request.arg("version").arg(state.version());
    request.arg("home").arg(state.content().keyName().value());
    request.arg("incarnation").arg(state.content().incarnation());
    request.arg("generation").arg(state.number());
    request.arg("owner").arg(state.owner());
  }

  /**
   * Reads a filter. Fails with WRONG_KEY_TYPE.
   *
   * @param hasNext whether the state of a next generation is known to exist
   * @param segments at most {@link #MAX_SEGMENTS_PER_CALL}
   */
  public Uni<FindReply> find(FilterName name, boolean hasNext, List<Asked> segments) {
    var keys = new ArrayList<String>();
    keys.add(SlotKeys.state(name));
    if (hasNext) {
      keys.add(SlotKeys.next(name));
    }
    segments.forEach(asked -> keys.add(asked.key()));
    return scripts
        .run(
            Script.FIND,
            Effect.READ,
            keys,
            request -> request.arg(flag(hasNext)).arg(layouts(segments)))
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
    return scripts.isOneSlot(SlotKeys.state(name), SlotKeys.state(newName));
  }

  /**
   * Sets or removes the expiry of a filter whose state the caller has read.
   *
   * @param next the state of the generation that an open rebuild loads, as the caller read it
   * @param asked all its segments in order, to read their headers too; or none
   * @param adopted its adopted bitmap, which gets the same expiry
   */
  public ChangeReply expire(
      FilterName name,
      FilterState state,
      Optional<FilterState> next,
      Optional<Instant> expiry,
      List<Asked> asked,
      Optional<AdoptedBitmap> adopted) {
    var keys = new ArrayList<String>();
    keys.add(SlotKeys.state(name));
    next.ifPresent(
        its -> {
          keys.add(SlotKeys.next(name));
          keys.addAll(its.written().keys(its.content()));
        });
    var ofNext = keys.size() - 1;
    if (state.hasSource()) {
      keys.add(SlotKeys.source(name));
    }
    keys.addAll(state.written().keys(state.content()));
    keys.addAll(AdoptedBitmap.keys(adopted));
    var reply =
        scripts.call(
            Script.EXPIRE,
            keys,
            request -> {
              request
                  .arg(state.version())
                  .arg(state.written().bytes())
                  .arg(millis(expiry))
                  .arg(flag(state.hasSource()));
              AdoptedBitmap.put(request, adopted);
              request.arg(layouts(asked)).arg(ofNext);
              request.arg(next.map(FilterState::written).orElse(Written.NONE).bytes());
            });
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
    var keys = new ArrayList<>(List.of(SlotKeys.state(name)));
    keys.addAll(AdoptedBitmap.keys(adopted));
    keys.addAll(Dropped.keys(replaced));
    var reply =
        scripts.call(
            Script.CLEAR,
            keys,
            request -> {
              request
                  .arg(state.version())
                  .arg(newVersion)
                  .arg(newContent.keyName().value())
                  .arg(newContent.incarnation());
              AdoptedBitmap.put(request, adopted);
              Dropped.put(request, replaced);
            });
    return ChangeReply.ofFilter(AdoptedBitmap.requireKeys(reply, name), name);
  }

  /**
   * Deletes a filter, the next generation and the source.
   *
   * @param adopted its adopted bitmap, to delete that too
   */
  public ChangeReply delete(
      FilterName name, RemovedFilter filter, Optional<AdoptedBitmap> adopted) {
    var keys = new ArrayList<>(List.of(SlotKeys.state(name)));
    if (filter.hasNext()) {
      keys.add(SlotKeys.next(name));
    }
    if (filter.hasSource()) {
      keys.add(SlotKeys.source(name));
    }
    keys.addAll(AdoptedBitmap.keys(adopted));
    var others = keys.size() - 1;
    filter.content().ifPresent(its -> keys.addAll(filter.written().keys(its)));
    var reply =
        scripts.call(
            Script.DELETE,
            keys,
            request -> {
              request.arg(filter.version()).arg(filter.written().bytes());
              request.arg(others).arg(flag(filter.hasSource()));
              AdoptedBitmap.put(request, adopted);
              putNext(request, filter);
            });
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
    name.ifPresent(its -> keys.add(SlotKeys.state(its)));
    keys.addAll(segments.subList(from, end));
    if (keys.isEmpty()) {
      return false;
    }
    var isLast = end == segments.size();
    var reply =
        scripts.call(
            Script.DROP,
            keys,
            request -> name.ifPresent(noted -> request.arg(dropped.bytes()).arg(flag(isLast))));
    return switch (reply.status()) {
      case "OK" -> !isLast;
      // Another caller was faster.
      case "CHANGED" -> false;
      default -> throw reply.unexpectedStatus();
    };
  }

  /** Replaces the definition of a generation, to add a layer. */
  public ChangeReply grow(StoredGeneration generation, String newVersion, String definition) {
    return ChangeReply.of(
        scripts.call(
            Script.WRITE,
            List.of(generation.stateKey()),
            request -> {
              request.arg(generation.version()).arg("");
              request.arg("version").arg(newVersion).arg("definition").arg(definition);
            }));
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
    var keys = new ArrayList<>(List.of(SlotKeys.state(name), SlotKeys.state(newName)));
    keys.addAll(List.of(SlotKeys.next(name), SlotKeys.next(newName)));
    keys.addAll(List.of(SlotKeys.source(name), SlotKeys.source(newName)));
    asked.forEach(segment -> keys.add(segment.key()));
    keys.addAll(Dropped.keys(replaced.dropped()));
    var reply =
        scripts.call(
            Script.RENAME,
            keys,
            request -> {
              request.arg(version).arg(replaced.version()).arg(flag(hasSource));
              request.arg(layouts(asked));
              Dropped.put(request, replaced.dropped());
              putNext(request, replaced);
            });
    return ChangeReply.ofFilter(reply, newName);
  }

  private static void putNext(Request request, RemovedFilter filter) {
    request.arg(flag(filter.next().isPresent()));
    request.arg(filter.next().map(FilterState::written).orElse(Written.NONE).bytes());
  }

  static String flag(boolean value) {
    return value ? "1" : "";
  }

  static String millis(Optional<Instant> time) {
    return time.map(Instant::toEpochMilli).map(String::valueOf).orElse("");
  }
}
