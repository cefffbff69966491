package io.github.bloomgate.laws;

import static io.github.bloomgate.support.TestInstance.await;

import io.github.bloomgate.elements.Answers;
import io.github.bloomgate.filters.Description;
import io.github.bloomgate.filters.NewDeadline;
import io.github.bloomgate.filters.Quota;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.model.FileDescription;
import io.github.bloomgate.model.FileFormat;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.rebuild.ReplacementService;
import io.github.bloomgate.support.TestInstance;
import io.smallrye.mutiny.Uni;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** Makes the calls of a sequence, and says what came of them as the model does. */
final class ModelledService {

  /** Parameters that have no false positives with the elements of a sequence. */
  static final List<FilterParameters> SHAPES =
      List.of(
          TestInstance.shape(20_000, 20),
          TestInstance.shape(30_016, 12),
          TestInstance.shape((1L << 24) + 64, 20),
          FilterParameters.growing(
              HashSchemes.nativeScheme(),
              1,
              1e-9,
              new Growth(Growth.DEFAULT_FACTOR, Growth.MAX_SIZE_BYTES)));

  /** The index of those with which the second element opens a further layer. */
  static final int GROWING = 3;

  private static final Duration DAY = Duration.ofDays(1);

  private final List<TestInstance> instances;
  private final String prefix;

  ModelledService(List<TestInstance> instances, String prefix) {
    this.instances = instances;
    this.prefix = prefix;
  }

  FilterName name(int index) {
    return new FilterName(prefix + index);
  }

  /** Makes a call; an error is its code. */
  String call(ModelCall call) {
    try {
      return make(call, instances.get(call.instance()));
    } catch (BloomException refused) {
      return refused.code().name();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes a call that waits for nothing but Redis. */
  Uni<String> start(ModelCall call) {
    var service = instances.get(call.instance());
    var name = name(call.name());
    var elements = call.elements().stream().map(ModelledService::element).toList();
    var result =
        switch (call.kind()) {
          case CREATE ->
              service
                  .creations
                  .create(name, SHAPES.get(call.shape()), deadline(call), Quota.NONE)
                  .map(outcome -> outcome.created() ? "created" : "found");
          case ADD -> service.elements.add(name, elements).map(ModelledService::flags);
          case TEST -> service.elements.test(name, elements).map(ModelledService::flags);
          case DESCRIBE -> service.descriptions.describe(name).map(ModelledService::describe);
          case EXPIRE ->
              service.changes.expire(name, deadline(call)).map(ModelledService::describe);
          case CLEAR -> service.changes.clear(name).map(ModelledService::describe);
          case RENAME ->
              service
                  .changes
                  .rename(name, name(call.other()), call.flag())
                  .map(ModelledService::describe);
          case OPEN ->
              service
                  .openings
                  .open(name, live -> SHAPES.get(call.shape()), DAY)
                  .chain(
                      next ->
                          next.isReady()
                              ? Uni.createFrom().voidItem()
                              : service.openings.awaitReady(next).replaceWithVoid())
                  .replaceWith("opened");
          case LOAD ->
              service
                  .rebuilds
                  .find(name, Optional.empty())
                  .chain(next -> service.rebuilds.load(next, elements))
                  .map(ModelledService::flags);
          case COMMIT ->
              service
                  .rebuilds
                  .find(name, Optional.empty())
                  .chain(
                      next -> service.rebuilds.commit(next, call.flag() ? 0 : 1, NewDeadline.KEEP))
                  .map(ModelledService::describe);
          case ABORT ->
              service
                  .rebuilds
                  .find(name, Optional.empty())
                  .chain(service.rebuilds::abort)
                  .map(aborted -> aborted ? "aborted" : "REBUILD_NOT_FOUND");
          case DELETE -> service.changes.delete(name, false).replaceWith("deleted");
          default -> throw new IllegalArgumentException("not a call of this kind: " + call);
        };
    return result.onFailure(BloomException.class).recoverWithItem(ModelledService::codeOf);
  }

  private static String codeOf(Throwable refused) {
    return ((BloomException) refused).code().name();
  }

  private static Optional<Instant> deadline(ModelCall call) {
    return call.flag() ? Optional.of(Instant.now().plus(DAY)) : Optional.empty();
  }

  private String make(ModelCall call, TestInstance service) throws IOException {
    var name = name(call.name());
    var other = name(call.other());
    var elements = call.elements().stream().map(ModelledService::element).toList();
    return switch (call.kind()) {
      case LIST ->
          await(service.descriptions.list(List.of(prefix), Optional.empty(), 100))
              .entries()
              .stream()
              .map(entry -> Integer.valueOf(entry.name().value().substring(prefix.length())))
              .sorted()
              .toList()
              .toString();
      case COPY ->
          describe(
              await(service.copies.copy(name, other, call.flag(), Optional.empty(), Quota.NONE)));
      case MERGE ->
          describe(await(service.merges.merge(name, List.of(other), OptionalDouble.empty())));
      case REPLACE ->
          describe(
              new ReplacementService(service.openings, service.rebuilds)
                  .replace(
                      name,
                      live -> SHAPES.get(call.shape()),
                      next -> await(service.rebuilds.load(next, elements)),
                      call.flag() ? 0 : 1,
                      () -> NewDeadline.KEEP,
                      Quota.NONE));
      case EXCHANGE -> {
        var out = new ByteArrayOutputStream();
        await(service.exports.begin(name, FileFormat.BLOOMGATE)).writeTo(out);
        yield describe(
            service.imports.load(
                other,
                FileDescription.of(FileFormat.BLOOMGATE),
                new ByteArrayInputStream(out.toByteArray()),
                Quota.NONE));
      }
      default -> await(start(call));
    };
  }

  private static byte[] element(int index) {
    return TestInstance.element("element " + index);
  }

  private static String flags(Answers answers) {
    var flags = new ArrayList<Boolean>();
    IntStream.range(0, answers.flags().length).forEach(i -> flags.add(answers.flags()[i]));
    return ModelFilters.flags(flags);
  }

  private static String describe(Description description) {
    var filter = description.filter();
    return "%d%s%s"
        .formatted(
            IntStream.range(0, SHAPES.size())
                .filter(i -> SHAPES.get(i).shape().equals(filter.shape()))
                .findFirst()
                .orElse(-1),
            filter.expiresAt().isPresent() ? " expires" : "",
            description.rebuild().isPresent() ? " rebuild" : "");
  }
}
