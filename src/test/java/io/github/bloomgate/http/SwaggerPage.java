package io.github.bloomgate.http;

import com.fasterxml.jackson.databind.node.TextNode;
import io.github.bloomgate.support.Contract;
import io.github.bloomgate.support.Contract.Operation;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The content of Swagger UI, in order. */
final class SwaggerPage {

  /** An earlier operation has committed the rebuild, so another must be opened to abort. */
  private static final Map<String, String> NEEDED_AGAIN = Map.of("abortRebuild", "openRebuild");

  /** The examples create no counting filter, so the test creates one. */
  static final String COUNTING = "sessions";

  static final String COUNTING_BODY = "{\"expectedInsertions\": 1000, \"counting\": true}";

  private SwaggerPage() {}

  /**
   * The operations from top to bottom: in the order of the contract, but with deletions at the end
   * of each tag.
   */
  static List<Operation> operations(Contract contract) {
    var tags = contract.operations().stream().map(Operation::tag).distinct().toList();
    return contract.operations().stream()
        .sorted(
            Comparator.comparing((Operation operation) -> tags.indexOf(operation.tag()))
                .thenComparing(operation -> operation.method().equals("DELETE")))
        .toList();
  }

  /** The operations in an order that works, which repeats one operation before another. */
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

  /** The text in the field for the body. JSON may be indented. */
  static String body(Operation operation, String type) {
    var example = operation.bodies().get(type).example();
    return type.equals("application/x-ndjson") ? TextNode.valueOf(example).toString() : example;
  }
}
