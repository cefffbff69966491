package io.github.bloomgate.http.answer;

import io.github.bloomgate.elements.Answers;
import io.github.bloomgate.http.request.ElementsRequest;
import io.github.bloomgate.http.request.StreamQuery;
import io.github.bloomgate.http.stream.ReturnMode;
import io.github.bloomgate.model.error.BloomException;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The answer to elements in a JSON document: what {@code return} asks for, as for a stream, but in
 * JSON; without it a flag for each element.
 */
public record JsonAnswer(ElementsRequest request, ReturnMode returnMode) {

  /**
   * The answer that a query asks for.
   *
   * @param known the values of {@code return}
   * @throws BloomException INVALID_REQUEST for any other value
   */
  public static JsonAnswer of(
      RoutingContext context, ElementsRequest request, Map<String, ReturnMode> known) {
    return new JsonAnswer(request, StreamQuery.returnMode(context, known, ReturnMode.FLAGS));
  }

  /** The answer if the elements were added. */
  public AddResult added(Answers answers) {
    return switch (returnMode) {
      case NONE ->
          AddResult.summary(answers.flags().length, answers.trueCount(), answers.replicas());
      case FLAGS -> AddResult.flags(answers);
      case LINES_IF_TRUE -> AddResult.elements(those(answers, true));
      case LINES_IF_FALSE -> AddResult.elements(those(answers, false));
    };
  }

  /** The answer if they were removed. */
  public RemoveResult removed(Answers answers) {
    return switch (returnMode) {
      case NONE ->
          RemoveResult.summary(answers.flags().length, answers.trueCount(), answers.replicas());
      case FLAGS -> RemoveResult.flags(answers);
      case LINES_IF_TRUE -> RemoveResult.elements(those(answers, true));
      case LINES_IF_FALSE -> RemoveResult.elements(those(answers, false));
    };
  }

  /** The answer if they were tested. */
  public TestResult tested(Answers answers) {
    return switch (returnMode) {
      case NONE -> TestResult.summary(answers.flags().length, answers.trueCount());
      case FLAGS -> TestResult.flags(answers);
      case LINES_IF_TRUE -> TestResult.elements(those(answers, true));
      case LINES_IF_FALSE -> TestResult.elements(those(answers, false));
    };
  }

  private List<String> those(Answers answers, boolean wanted) {
    List<String> some = new ArrayList<>();
    for (var i = 0; i < answers.flags().length; i++) {
      if (answers.flags()[i] == wanted) {
        some.add(request.elements().get(i));
      }
    }
    return some;
  }
}
