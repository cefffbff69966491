package io.github.bloomgate.http.answer;

import io.github.bloomgate.elements.Answers;
import io.github.bloomgate.http.request.ElementsRequest;
import io.github.bloomgate.http.request.StreamQuery;
import io.github.bloomgate.http.stream.ReturnMode;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;

/**
 * The answer to elements in a JSON document: what {@code return} asks for, as for a stream, but in
 * JSON; without it a flag for each element.
 */
public record JsonAnswer(ElementsRequest request, ReturnMode verdicts) {

  public static JsonAnswer ofAdd(RoutingContext context, ElementsRequest request) {
    return new JsonAnswer(
        request, StreamQuery.verdicts(context, StreamQuery.OF_ADD, ReturnMode.FLAGS));
  }

  public static JsonAnswer ofTest(RoutingContext context, ElementsRequest request) {
    return new JsonAnswer(
        request, StreamQuery.verdicts(context, StreamQuery.OF_TEST, ReturnMode.FLAGS));
  }

  /** The answer if the elements were added. */
  public Object added(Answers answers) {
    return switch (verdicts) {
      case NONE ->
          new AddSummary(
              answers.flags().length, answers.trueCount(), AddResult.orNull(answers.replicas()));
      case FLAGS -> AddResult.of(answers);
      case LINES_IF_TRUE -> those(answers, true);
      case LINES_IF_FALSE -> those(answers, false);
    };
  }

  /** The answer if they were tested. */
  public Object tested(Answers answers) {
    return switch (verdicts) {
      case NONE -> new TestSummary(answers.flags().length, answers.trueCount());
      case FLAGS -> TestResult.of(answers);
      case LINES_IF_TRUE -> those(answers, true);
      case LINES_IF_FALSE -> those(answers, false);
    };
  }

  private ElementsResult those(Answers answers, boolean wanted) {
    List<String> some = new ArrayList<>();
    for (var i = 0; i < answers.flags().length; i++) {
      if (answers.flags()[i] == wanted) {
        some.add(request.elements().get(i));
      }
    }
    return new ElementsResult(some);
  }
}
