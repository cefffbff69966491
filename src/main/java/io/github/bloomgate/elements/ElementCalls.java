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
import io.github.bloomgate.threads.OwnContext;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Sends element requests to the rounds, and again if the filter has changed or must grow. */
@ApplicationScoped
public class ElementCalls {

  private final LiveFilters live;
  private final Rounds rounds;
  private final FilterGrowth growth;
  private final MemoryBudget memory;

  public ElementCalls(LiveFilters live, Rounds rounds, FilterGrowth growth, MemoryBudget memory) {
    this.live = live;
    this.rounds = rounds;
    this.growth = growth;
    this.memory = memory;
  }

  /**
   * Performs an operation on elements of a filter. Adds also go to the next generation.
   *
   * @return the request with all its answers, or a failure: FILTER_NOT_FOUND; FILTER_CHANGED if the
   *     filter changed during every attempt; LIMIT_EXCEEDED and STORE_FULL if it cannot grow; all
   *     of {@link ElementRequest} and {@link Rounds#send}
   */
  public Uni<ElementRequest> send(
      Kind kind, FilterName name, List<byte[]> elements, Durability durability) {
    return send(new ElementCall(kind, elements, durability, Optional.empty()), name);
  }

  /**
   * Adds elements only to the next generation.
   *
   * @param incarnation of the generation; fails with REBUILD_NOT_FOUND if another one or none is
   *     open
   */
  public Uni<ElementRequest> load(FilterName name, String incarnation, List<byte[]> elements) {
    var call = new ElementCall(Kind.ADD, elements, Durability.PRIMARY, Optional.of(incarnation));
    return send(call, name)
        .onFailure(ErrorCode.FILTER_NOT_FOUND::isOf)
        .transform(gone -> RebuildErrors.notFound(name));
  }

  private Uni<ElementRequest> send(ElementCall call, FilterName name) {
    return live.rememberedOrFound(name).chain(found -> begin(call, name, List.of(found)));
  }

  private Uni<ElementRequest> begin(ElementCall call, FilterName name, List<FoundFilter> found) {
    return memory.holding(
        MemoryBudget.Use.WORK,
        call.memory(found),
        () ->
            hash(call, found)
                .onFailure(ElementCalls::isRefusal)
                .recoverWithUni(() -> live.find(name).chain(now -> hash(call, List.of(now))))
                .chain(requests -> send(requests.get(0), 1)));
  }

  /**
   * Whether a filter cannot take elements or an operation. A remembered filter may be outdated, so
   * it is then read.
   */
  private static boolean isRefusal(Throwable failure) {
    return ErrorCode.INVALID_REQUEST.isOf(failure)
        || ErrorCode.SECRET_MISSING.isOf(failure)
        || ErrorCode.REBUILD_NOT_FOUND.isOf(failure);
  }

  private static Uni<List<ElementRequest>> hash(ElementCall call, List<FoundFilter> found) {
    var requests = Uni.createFrom().item(() -> call.requests(found));
    return call.takesLong(found) ? requests.runSubscriptionOn(OwnContext.workers()) : requests;
  }

  /** After a change of the filter, there may be nothing left to ask. */
  private Uni<ElementRequest> send(ElementRequest request, int attempt) {
    return request.isDecided()
        ? Uni.createFrom().item(request)
        : rounds.send(List.of(request)).chain(() -> goOn(request, attempt));
  }

  /** Fails if the request has failed. */
  private Uni<ElementRequest> goOn(ElementRequest request, int attempt) {
    return switch (request.result()) {
      case DONE -> Uni.createFrom().item(request);
      case FULL -> grow(request).chain(now -> again(request, now, 0));
      case CHANGED ->
          find(request).chain(now -> again(request, now, request.hasGrown(now) ? 0 : attempt));
    };
  }

  /**
   * Performs an operation on elements of several filters, in the same round. A filter that changed
   * or must grow continues alone.
   *
   * @param mayBeMissing whether to leave out filters that do not exist
   * @return a request for each filter in order, with all its answers or the failure as of {@link
   *     #send}. Fails in the same way if a filter cannot be read, or cannot take an element;
   *     nothing was sent then
   */
  Uni<List<ElementRequest>> sendAll(
      Kind kind,
      List<FilterName> names,
      List<byte[]> elements,
      Durability durability,
      boolean mayBeMissing) {
    var call = new ElementCall(kind, elements, durability, Optional.empty());
    return look(names, live::rememberedOrFound, mayBeMissing)
        .chain(found -> begin(call, found))
        .onFailure(ElementCalls::isRefusal)
        .recoverWithUni(
            () -> look(names, live::find, mayBeMissing).chain(found -> begin(call, found)));
  }

  private static Uni<List<FoundFilter>> look(
      List<FilterName> names, Function<FilterName, Uni<FoundFilter>> way, boolean mayBeMissing) {
    return all(names.stream().map(name -> look(way.apply(name), mayBeMissing)).toList())
        .map(found -> found.stream().flatMap(Optional::stream).toList());
  }

  private static Uni<Optional<FoundFilter>> look(Uni<FoundFilter> find, boolean mayBeMissing) {
    var found = find.map(Optional::of);
    return mayBeMissing
        ? found.onFailure(ErrorCode.FILTER_NOT_FOUND::isOf).recoverWithItem(Optional::empty)
        : found;
  }

  private static <T> Uni<List<T>> all(List<Uni<T>> some) {
    return Uni.join().all(some).andFailFast();
  }

  private Uni<List<ElementRequest>> begin(ElementCall call, List<FoundFilter> found) {
    return found.isEmpty()
        ? Uni.createFrom().item(List.of())
        : memory.holding(
            MemoryBudget.Use.WORK,
            call.memory(found),
            () -> hash(call, found).chain(requests -> sendTogether(requests)));
  }

  private Uni<List<ElementRequest>> sendTogether(List<ElementRequest> requests) {
    return rounds.send(requests).chain(() -> all(requests.stream().map(this::finish).toList()));
  }

  private Uni<ElementRequest> finish(ElementRequest request) {
    return Uni.createFrom()
        .deferred(() -> goOn(request, 1))
        .onFailure()
        .invoke(failure -> request.fail(RoundFailures.known(failure)))
        .onFailure()
        .recoverWithItem(request);
  }

  /** If the filter is gone, repeating a removal is harmless. */
  private Uni<FoundFilter> find(ElementRequest request) {
    return live.find(request.name())
        .onFailure(failure -> !ErrorCode.FILTER_NOT_FOUND.isOf(failure))
        .transform(failure -> request.adapted(RoundFailures.known(failure)));
  }

  private Uni<FoundFilter> grow(ElementRequest request) {
    return Uni.createFrom().item(() -> growAll(request)).runSubscriptionOn(OwnContext.workers());
  }

  private FoundFilter growAll(ElementRequest request) {
    request.parts().stream()
        .filter(ElementPart::needsLayer)
        .forEach(part -> growth.grow(request.name(), part.generation()));
    return live.get(request.name());
  }

  private Uni<ElementRequest> again(ElementRequest request, FoundFilter now, int attempt) {
    if (attempt == Attempts.MAX) {
      return Uni.createFrom().failure(request.adapted(FilterErrors.changed(request.name())));
    }
    return Uni.createFrom()
        .item(() -> request.follow(now))
        .chain(
            isSame ->
                isSame
                    ? send(request, attempt + 1)
                    : Uni.createFrom().failure(FilterErrors.changed(request.name())));
  }
}
