package io.github.bloomgate.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.faults.Operation.Prepared;
import io.github.bloomgate.support.InParallel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs every operation of the contract, each on its own filter. */
final class AllOperations {

  /**
   * The outcome of an export that fails after it has started, and can only close the connection.
   */
  static final String BROKEN_OFF = "BROKEN_OFF";

  private final PackagedService patient;
  private byte[] file;
  private int names;

  /**
   * Creates the filters with a patient instance.
   *
   * @param patient has a longer call timeout, because Redis may be slow on a busy machine
   */
  AllOperations(PackagedService patient) {
    this.patient = patient;
  }

  /** Prepares the operations with the patient instance, for another one to run. */
  List<Prepared> prepareFor(PackagedService by) {
    if (file == null) {
      file = Operation.exported(patient);
    }
    var prepared = new CopyOnWriteArrayList<Prepared>();
    atOnce(
        Shapes.ALL.stream()
            .flatMap(
                shape ->
                    Operation.all()
                        .map(
                            operation -> {
                              var name = "filter-" + names++;
                              return () ->
                                  prepared.add(
                                      operation.prepare(patient, name, shape, file).at(by));
                            })));
    return prepared;
  }

  private static void atOnce(Stream<Runnable> tasks) {
    tasks.map(InParallel::run).toList().forEach(CompletableFuture::join);
  }

  /** Runs the operations in parallel, because some wait until the call timeout. */
  static List<Outcome> run(List<Prepared> prepared) throws Exception {
    var running = prepared.stream().map(Prepared::run).toList();
    var outcomes = new ArrayList<Outcome>();
    for (var i = 0; i < running.size(); i++) {
      outcomes.add(outcome(prepared.get(i).operation(), running.get(i)));
    }
    return outcomes;
  }

  private static Outcome outcome(Operation operation, CompletableFuture<Outcome> running)
      throws Exception {
    try {
      return running.get(2 * FaultRun.MAX_WAIT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException failure) {
      if (operation.isOf("exportFilter") && failure.getCause() instanceof IOException) {
        return new Outcome(operation, 0, BROKEN_OFF, "");
      }
      throw failure;
    }
  }

  /** Runs all operations and returns the failed ones, after checking that no response was wrong. */
  List<Outcome> notServed(PackagedService by) throws Exception {
    var prepared = prepareFor(by);
    var outcomes = run(prepared);
    assertTruth(outcomes);
    clean(prepared);
    return outcomes.stream().filter(outcome -> !outcome.isSuccess()).toList();
  }

  /** Asserts that no successful response is wrong. */
  static void assertTruth(List<Outcome> outcomes) {
    assertEquals(
        List.of(),
        outcomes.stream()
            .filter(
                outcome ->
                    outcome.isSuccess()
                        && !outcome.operation().isTrue(outcome.status(), outcome.body()))
            .toList());
  }

  void clean(List<Prepared> prepared) {
    atOnce(prepared.stream().map(one -> one.at(patient)::clean));
  }
}
