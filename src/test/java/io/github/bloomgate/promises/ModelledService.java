package io.github.bloomgate.promises;

import static io.github.bloomgate.threads.Await.await;

import io.github.bloomgate.elements.Flags;
import io.github.bloomgate.elements.LongAdd;
import io.github.bloomgate.files.portable.FileDescription;
import io.github.bloomgate.files.portable.FileFormat;
import io.github.bloomgate.filters.ChangedFilter;
import io.github.bloomgate.filters.Description;
import io.github.bloomgate.hash.HashSchemes;
import io.github.bloomgate.memory.Client;
import io.github.bloomgate.model.Durability;
import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import io.github.bloomgate.model.Growth;
import io.github.bloomgate.model.NewExpiry;
import io.github.bloomgate.model.Quota;
import io.github.bloomgate.model.WhenFull;
import io.github.bloomgate.model.Window;
import io.github.bloomgate.model.error.BloomException;
import io.github.bloomgate.support.InParallel;
import io.github.bloomgate.support.TestInstance;
import io.github.bloomgate.support.TestWindows;
import io.smallrye.mutiny.Uni;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** Makes the calls of a sequence and returns results in the model's form. */
final class ModelledService {

  /** The number of slices in the windows of the shapes. */
  static final int SLICES = 2;

  /** The number of elements in a slice, by insertions. */
  static final int PART = 3;

  /** The capacity of the filter that rejects. */
  static final int MOST = 4;

  /** Parameters that give no false positives with the elements of a sequence. */
  static final List<FilterParameters> SHAPES =
      List.of(
          TestInstance.shape(20_000, 20),
          TestInstance.shape(30_016, 12),
          TestInstance.shape((1L << 24) + 64, 20),
          new Growth(Growth.DEFAULT_FACTOR, Growth.MAX_SIZE_BYTES)
              .parameters(HashSchemes.nativeScheme(), 1, 1e-9),
          TestWindows.sized(1_000, TestWindows.years(SLICES, true)),
          TestWindows.sized(SLICES * PART, Window.ofInsertions(SLICES * PART, SLICES, true)),
          TestInstance.counting(1_000),
          TestInstance.shape(1 << 20, 20),
          TestInstance.sized(MOST, 1e-9, WhenFull.REJECT),
          FilterParameters.forShape(
              HashSchemes.named("redisson").orElseThrow(), (1 << 24) + 64, 20, WhenFull.ACCEPT),
          Window.ofInsertions(SLICES * PART, SLICES, false)
              .parameters(HashSchemes.nativeScheme(), SLICES * PART, 1e-11),
          TestInstance.counting(4_000));

  /** The index of the parameters with which the second element opens a layer. */
  static final int GROWING = 3;

  /** The index of the window by time. */
  static final int FORGETTING = 4;

  /** The index of the window by insertions. */
  static final int FORGETTING_BY_INSERTIONS = 5;

  /** The index of the counting filter. */
  static final int COUNTING = 6;

  /** The index of a segment that gets its bitmap with the first fold. */
  static final int BARE = 7;

  /** The index of the filter that rejects elements at capacity. */
  static final int REJECTING = 8;

  /** The index of a library's bitmap, which has no copies and no journal. */
  static final int RAW = 9;

  /** The index of the window by insertions in which known elements keep their age. */
  static final int KEEPING = 10;

  /** The index of a counting filter whose segment gets its counters with the first fold. */
  static final int BARE_COUNTING = 11;

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

  /** Makes a call and waits for its answer. */
  String call(ModelCall call) {
    return InParallel.resultOf(start(call).subscribeAsCompletionStage());
  }

  /** Makes a blocking call. An error is returned as its code. */
  private String blocking(ModelCall call) {
    try {
      return make(call, instances.get(call.instance()));
    } catch (BloomException refused) {
      return refused.code().name();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Begins a call. Calls with elements do not block, others run on a thread of the instance. */
  Uni<String> start(ModelCall call) {
    var service = instances.get(call.instance());
    return switch (call.kind()) {
      case ADD, REPLICATED_ADD, TEST, REMOVE, COUNT, LOAD ->
          elements(call, service)
              .onFailure(BloomException.class)
              .recoverWithItem(ModelledService::codeOf);
      default -> Uni.createFrom().item(() -> blocking(call)).runSubscriptionOn(service.waiting);
    };
  }

  /** A stream of adds to the filter of a call. */
  LongAdd stream(ModelCall call) {
    var service = instances.get(call.instance());
    return new LongAdd(
        service.elements,
        service.live,
        name(call.name()),
        Durability.PRIMARY,
        Optional.empty(),
        Client.SERVICE);
  }

  /** Begins a batch of a stream, or its acknowledgement. */
  Uni<String> start(ModelCall call, LongAdd stream) {
    var answer =
        call.kind() == ModelCall.Kind.LINES
            ? stream.apply(elements(call)).map(ModelledService::flags)
            : Uni.createFrom()
                .item(
                    () -> {
                      stream.acknowledge();
                      return "ended";
                    })
                .runSubscriptionOn(instances.get(call.instance()).waiting);
    return answer.onFailure(BloomException.class).recoverWithItem(ModelledService::codeOf);
  }

  private static List<byte[]> elements(ModelCall call) {
    return call.elements().stream().map(ModelledService::element).toList();
  }

  private static String codeOf(Throwable refused) {
    return ((BloomException) refused).code().name();
  }

  private Uni<String> elements(ModelCall call, TestInstance service) {
    var name = name(call.name());
    var elements = elements(call);
    if (call.kind() == ModelCall.Kind.COUNT) {
      return service.elements.count(name, elements, Client.SERVICE).map(Arrays::toString);
    }
    var answers =
        switch (call.kind()) {
          case ADD -> service.elements.add(name, elements);
          case REPLICATED_ADD ->
              service.elements.add(
                  name, elements, Durability.REPLICATED, Optional.empty(), Client.SERVICE);
          case TEST -> service.elements.test(name, elements, Client.SERVICE);
          case REMOVE ->
              service.elements.remove(name, elements, Durability.PRIMARY, Client.SERVICE);
          default ->
              service
                  .rebuilds
                  .find(name, Optional.empty())
                  .chain(rebuild -> rebuild.load(elements, Client.SERVICE));
        };
    return answers.map(ModelledService::flags);
  }

  private static Optional<Instant> expiry(ModelCall call) {
    return call.flag() ? Optional.of(Instant.now().plus(DAY)) : Optional.empty();
  }

  private String make(ModelCall call, TestInstance service) throws IOException {
    var name = name(call.name());
    var other = name(call.other());
    var elements = elements(call);
    return switch (call.kind()) {
      case ADD, REPLICATED_ADD, LINES, END, TEST, REMOVE, COUNT, LOAD ->
          throw new IllegalArgumentException("It does not block: " + call);
      case CREATE ->
          service
                  .creations
                  .create(name, SHAPES.get(call.shape()), NewExpiry.of(expiry(call)), Quota.NONE)
                  .created()
              ? "created"
              : "found";
      case DESCRIBE -> describe(service.describe(name));
      case EXPIRE -> describe(service, service.changes.expire(name, NewExpiry.of(expiry(call))));
      case CLEAR -> describe(service, service.changes.clear(name));
      case RENAME -> describe(service, service.renames.rename(name, other, call.flag()));
      case DELETE -> {
        service.changes.delete(name, false);
        yield "deleted";
      }
      case OPEN -> {
        var unused = service.rebuilds.open(name, live -> SHAPES.get(call.shape()), DAY);
        yield "opened";
      }
      case COMMIT ->
          describe(service, service.rebuild(name).commit(call.flag() ? 0 : 1, NewExpiry.KEEP));
      case ABORT -> service.rebuild(name).abort() ? "aborted" : "REBUILD_NOT_FOUND";
      case LIST ->
          service
              .descriptions
              .list(List.of(prefix), Optional.empty(), 100, false, Client.SERVICE)
              .entries()
              .stream()
              .map(entry -> Integer.valueOf(entry.name().value().substring(prefix.length())))
              .sorted()
              .toList()
              .toString();
      case COPY ->
          describe(
              service,
              service.copies.copy(
                  name, other, call.flag(), Optional.empty(), Quota.NONE, Client.SERVICE));
      case MERGE ->
          describe(
              service,
              service.merges.merge(name, List.of(other), OptionalDouble.empty(), Client.SERVICE));
      case REPLACE -> {
        try (var rebuild = service.rebuilds.open(name, live -> SHAPES.get(call.shape()), DAY)) {
          await(rebuild.load(elements, Client.SERVICE));
          yield describe(service, rebuild.commit(call.flag() ? 0 : 1, NewExpiry.KEEP));
        }
      }
      case EXCHANGE -> {
        var out = new ByteArrayOutputStream();
        service.exports.begin(name, FileFormat.BLOOMGATE, false).writeTo(out);
        yield describe(
            service.imports.load(
                other,
                FileDescription.of(FileFormat.BLOOMGATE),
                new ByteArrayInputStream(out.toByteArray()),
                Quota.NONE));
      }
    };
  }

  private static String describe(TestInstance service, ChangedFilter changed) {
    return describe(service.descriptions.describeChanged(changed));
  }

  private static byte[] element(int index) {
    return TestInstance.element("element " + index);
  }

  private static String flags(Flags answers) {
    var flags = new ArrayList<Boolean>();
    IntStream.range(0, answers.flags().length).forEach(i -> flags.add(answers.flags()[i]));
    return ModelFilters.flags(flags);
  }

  private static String describe(Description description) {
    var filter = description.live();
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
