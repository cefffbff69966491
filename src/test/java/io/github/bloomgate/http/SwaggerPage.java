package io.github.bloomgate.http;

import com.fasterxml.jackson.databind.node.TextNode;
import io.github.bloomgate.support.Contract;
import io.github.bloomgate.support.Contract.Operation;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What stands on the page of Swagger UI, and in which order. */
final class SwaggerPage {

  /** Without it again, nothing would be open to abort: the commit has ended the one before. */
  private static final Map<String, String> NEEDED_AGAIN = Map.of("abortRebuild", "openRebuild");

  /** What the example of a creation does not make, as that filter has no counters. */
  static final String COUNTING = "sessions";

  static final String COUNTING_BODY = "{\"expectedInsertions\": 1000, \"counting\": true}";

  private SwaggerPage() {}

  /** The operations from top to bottom: as in the contract, but deletions at the end of a tag. */
  static List<Operation> operations(Contract contract) {
    var tags = contract.operations().stream().map(Operation::tag).distinct().toList();
    return contract.operations().stream()
        .sorted(
            Comparator.comparing((Operation operation) -> tags.indexOf(operation.tag()))
                .thenComparing(operation -> operation.method().equals("DELETE")))
        .toList();
  }

  /** What works one after the other: the operations, and before one of them another again. */
  static List<Operation> steps(Contract contract) {
    var operations = operations(contract);
    return operations.stream()
        .flatMap(
            operation ->
                Stream.concat(
                    operations.stream()
                        .filter(other -> other.id().equals(NEEDED_AGAIN.get(operation.id()))),
                    Stream.of(operation)))
        .toList();
  }

  /** The text in the field for the body; JSON may be indented there. */
  static String body(Operation operation, String type) {
    var example = operation.bodies().get(type).example();
    return type.equals("application/x-ndjson") ? TextNode.valueOf(example).toString() : example;
  }
}
