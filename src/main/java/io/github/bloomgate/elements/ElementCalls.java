package io.github.bloomgate.elements;

import io.github.bloomgate.elements.ElementRequest.Kind;
import io.github.bloomgate.filters.Attempts;
import io.github.bloomgate.filters.FoundFilter;
import io.github.bloomgate.filters.LiveFilters;
import io.github.bloomgate.memory.MemoryBudget;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.model.error.FilterErrors;
import io.github.bloomgate.model.error.RebuildErrors;
import io.github.bloomgate.model.lines.PackedElements;
import io.github.bloomgate.threads.OwnContext;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Sends element requests to the rounds, and again if the filter has changed or must grow. */
@ApplicationScoped
public class ElementCalls {

  /** Up to this many elements are hashed on the event loop, in a fraction of a millisecond. */
  private static final int MOST_ON_LOOP = 1_024;

  /**
   * Up to this many bytes are hashed on the event loop, in a few milliseconds. Each counts once for
   * each hash function, because some schemes read an element that often.
   */
  private static final long MOST_BYTES_ON_LOOP = 4 << 20;

  private static final int BYTES_PER_REQUEST = 8 << 10;
  private static final int BYTES_PER_ELEMENT = 64;
  private static final int BYTES_PER_POSITION = 8;

  private final LiveFilters live;
  private final Rounds rounds;
  private final RawElements raw;
  private final FilterGrowth growth;
  private final MemoryBudget memory;

  public ElementCalls(
      LiveFilters live, Rounds rounds, RawElements raw, FilterGrowth growth, MemoryBudget memory) {
    this.live = live;
    this.rounds = rounds;
    this.raw = raw;
    this.growth = growth;
    this.memory = memory;
  }

  /** An operation with its elements and generations. */
  private record Call(
      Kind kind,
      FilterName name,
      List<byte[]> elements,
      Durability durability,
      Optional<String> next) {

    /** The filter, or only its next generation for a load. */
    private FoundFilter target(FoundFilter found) {
      return next.isEmpty()
          ? found
          : found
              .next()
              .filter(open -> open.incarnation().equals(next.get()))
              .map(open -> new FoundFilter(open, Optional.empty()))
              .orElseThrow(() -> RebuildErrors.notFound(name));
    }

    private void requireKind(FoundFilter target) {
      if (kind == Kind.REMOVE || kind == Kind.COUNT) {
        CounterService.requireCounting(target.filter());
      }
    }

    private ElementRequest request(FoundFilter found, HashedElements hashed) {
      var target = target(found);
      requireKind(target);
      return new ElementRequest(kind, hashed, durability, target);
    }

    private long memory(FoundFilter found) {
      return BYTES_PER_REQUEST
          + (BYTES_PER_ELEMENT + (long) BYTES_PER_POSITION * found.mostHashFunctions())
              * elements.size();
    }
  }

  /**
   * Performs an operation on elements of a filter. Adds also go to the next generation.
   *
   * @return the request with all its answers, or a failure: FILTER_NOT_FOUND; FILTER_CHANGED if the
   *     filter changed during every attempt; LIMIT_EXCEEDED and STORE_FULL if it cannot grow; all
   *     of {@link ElementRequest}, {@link Rounds#send} and {@link RawElements#send}
   */
  public Uni<ElementRequest> send(
      Kind kind, FilterName name, List<byte[]> elements, Durability durability) {
    var call = new Call(kind, name, elements, durability, Optional.empty());
    return live.rememberedOrFound(name).chain(found -> begin(call, found));
  }

  /**
   * Adds elements only to the next generation.
   *
   * @param incarnation of the generation; fails with REBUILD_NOT_FOUND if another one or none is
   *     open
   */
  public Uni<ElementRequest> load(FilterName name, String incarnation, List<byte[]> elements) {
    var call = new Call(Kind.ADD, name, elements, Durability.PRIMARY, Optional.of(incarnation));
    return live.rememberedOrFound(name)
        .chain(
            found ->
                found.filter().next().equals(call.next)
                    ? Uni.createFrom().item(found)
                    : live.find(name))
        .chain(found -> begin(call, found))
        .onFailure(ErrorCode.FILTER_NOT_FOUND::isOf)
        .transform(gone -> RebuildErrors.notFound(name));
  }

  private Uni<ElementRequest> begin(Call call, FoundFilter found) {
    return memory.holding(
        MemoryBudget.Use.WORK,
        call.memory(found),
        () ->
            hash(List.of(call), List.of(found))
                .onFailure(ElementCalls::isRefusal)
                .recoverWithUni(
                    () -> live.find(call.name).chain(now -> hash(List.of(call), List.of(now))))
                .chain(requests -> send(call, requests.get(0), 1)));
  }

  /**
   * Whether a filter cannot take elements or an operation. A remembered filter may be outdated, so
   * it is then read.
   */
  private static boolean isRefusal(Throwable failure) {
    return ErrorCode.INVALID_REQUEST.isOf(failure) || ErrorCode.SECRET_MISSING.isOf(failure);
  }

  /** Makes the requests of calls with the same elements. */
  private static Uni<List<ElementRequest>> hash(List<Call> calls, List<FoundFilter> found) {
    var elements = calls.get(0).elements;
    var requests =
        Uni.createFrom()
            .item(
                () -> {
                  var hashed = new HashedElements(elements);
                  List<ElementRequest> some = new ArrayList<>(calls.size());
                  for (var i = 0; i < calls.size(); i++) {
                    some.add(calls.get(i).request(found.get(i), hashed));
                  }
                  return some;
                });
    return takesLong(elements, found) ? requests.runSubscriptionOn(OwnContext.workers()) : requests;
  }

  /** Whether hashing elements for some filters would block an event loop. */
  private static boolean takesLong(List<byte[]> elements, List<FoundFilter> filters) {
    if ((long) filters.size() * elements.size() > MOST_ON_LOOP) {
      return true;
    }
    var hashFunctions = 0L;
    for (var found : filters) {
      hashFunctions += found.mostHashFunctions();
    }
    return hashFunctions * PackedElements.bytesOf(elements) > MOST_BYTES_ON_LOOP;
  }

  /** After a change of the filter, there may be nothing left to ask. */
  private Uni<ElementRequest> send(Call call, ElementRequest request, int attempt) {
    return request.isDecided()
        ? Uni.createFrom().item(request)
        : send(List.of(request)).chain(() -> goOn(call, request, attempt));
  }

  /**
   * Sends requests to one or more filters together, those with raw content first. Afterwards each
   * has its outcome or its failure. Does not fail.
   */
  private Uni<Void> send(List<ElementRequest> requests) {
    for (var request : requests) {
      if (request.hasRaw()) {
        return raw.send(requests).chain(() -> sendRest(requests));
      }
    }
    return rounds.send(requests);
  }

  private Uni<Void> sendRest(List<ElementRequest> requests) {
    var rest = requests.stream().filter(request -> !request.isDecided()).toList();
    return rest.isEmpty() ? Uni.createFrom().voidItem() : rounds.send(rest);
  }

  /** Fails if the request has failed. */
  private Uni<ElementRequest> goOn(Call call, ElementRequest request, int attempt) {
    return switch (request.result()) {
      case DONE -> Uni.createFrom().item(request);
      case FULL -> grow(call, request).chain(now -> again(call, request, now, 0));
      case CHANGED ->
          find(call.name, request)
              .chain(
                  now ->
                      again(call, request, now, request.hasGrown(call.target(now)) ? 0 : attempt));
    };
  }

  /**
   * The answers of one of several filters.
   *
   * @param request with all its answers; null if it failed
   * @param failure as for {@link #send}, or null
   */
  record Part(FilterName filter, ElementRequest request, RuntimeException failure) {

    boolean isMissing() {
      return ErrorCode.FILTER_NOT_FOUND.isOf(failure);
    }
  }

  /**
   * Performs an operation on elements of several filters, in the same round. A filter that changed
   * or must grow continues alone.
   *
   * @param mayBeMissing whether to leave out filters that do not exist
   * @return a part for each filter in order. Fails as {@link #send} if a filter cannot be read, or
   *     cannot take an element; nothing was sent then
   */
  Uni<List<Part>> sendAll(
      Kind kind,
      List<FilterName> names,
      List<byte[]> elements,
      Durability durability,
      boolean mayBeMissing) {
    var calls =
        names.stream()
            .map(name -> new Call(kind, name, elements, durability, Optional.empty()))
            .toList();
    return look(calls, live::rememberedOrFound, mayBeMissing)
        .chain(found -> begin(calls, found))
        .onFailure(ElementCalls::isRefusal)
        .recoverWithUni(
            () -> look(calls, live::find, mayBeMissing).chain(found -> begin(calls, found)));
  }

  private static Uni<List<Optional<FoundFilter>>> look(
      List<Call> calls, Function<FilterName, Uni<FoundFilter>> way, boolean mayBeMissing) {
    return all(
        calls.stream()
            .map(
                call -> {
                  var found = way.apply(call.name).map(Optional::of);
                  return mayBeMissing
                      ? found
                          .onFailure(ErrorCode.FILTER_NOT_FOUND::isOf)
                          .recoverWithItem(Optional::empty)
                      : found;
                })
            .toList());
  }

  private static <T> Uni<List<T>> all(List<Uni<T>> some) {
    return Uni.join().all(some).andFailFast();
  }

  private Uni<List<Part>> begin(List<Call> calls, List<Optional<FoundFilter>> found) {
    var existing = IntStream.range(0, calls.size()).filter(i -> found.get(i).isPresent()).toArray();
    var bytes =
        Arrays.stream(existing).mapToLong(i -> calls.get(i).memory(found.get(i).get())).sum();
    return existing.length == 0
        ? Uni.createFrom().item(List.of())
        : memory.holding(
            MemoryBudget.Use.WORK,
            bytes,
            () -> {
              var some = Arrays.stream(existing).mapToObj(calls::get).toList();
              var theirs = Arrays.stream(existing).mapToObj(i -> found.get(i).get()).toList();
              return hash(some, theirs).chain(requests -> send(some, requests));
            });
  }

  private Uni<List<Part>> send(List<Call> calls, List<ElementRequest> requests) {
    return send(requests)
        .chain(
            () ->
                all(
                    IntStream.range(0, calls.size())
                        .mapToObj(i -> finish(calls.get(i), requests.get(i)))
                        .toList()));
  }

  private Uni<Part> finish(Call call, ElementRequest request) {
    return Uni.createFrom()
        .deferred(() -> goOn(call, request, 1))
        .map(done -> new Part(call.name, done, null))
        .onFailure()
        .recoverWithItem(failure -> new Part(call.name, null, RoundFailures.known(failure)));
  }

  /** If the filter is gone, repeating a removal is harmless. */
  private Uni<FoundFilter> find(FilterName name, ElementRequest request) {
    return live.find(name)
        .onFailure(failure -> !ErrorCode.FILTER_NOT_FOUND.isOf(failure))
        .transform(failure -> request.adapted(RoundFailures.known(failure)));
  }

  private Uni<FoundFilter> grow(Call call, ElementRequest request) {
    return Uni.createFrom()
        .item(() -> growAll(call.name, request))
        .runSubscriptionOn(OwnContext.workers());
  }

  private FoundFilter growAll(FilterName name, ElementRequest request) {
    request.parts().stream()
        .filter(ElementPart::needsLayer)
        .forEach(part -> growth.grow(name, part.generation()));
    return live.get(name);
  }

  private Uni<ElementRequest> again(
      Call call, ElementRequest request, FoundFilter now, int attempt) {
    if (attempt == Attempts.MAX) {
      return Uni.createFrom().failure(request.adapted(FilterErrors.changed(call.name)));
    }
    return Uni.createFrom()
        .item(
            () -> {
              var target = call.target(now);
              call.requireKind(target);
              return request.follow(target);
            })
        .chain(
            isSame ->
                isSame
                    ? send(call, request, attempt + 1)
                    : Uni.createFrom().failure(FilterErrors.changed(call.name)));
  }
}
