package io.github.bloomgate.http;

import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.bloomgate.http.SwaggerPageTest.Step;
import io.github.bloomgate.support.Chromium;
import io.github.bloomgate.support.Contract;
import io.github.bloomgate.support.Contract.Operation;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Clicks "Execute" in Swagger UI with the default values, for each operation in the order of the
 * page, in a browser. {@link SwaggerPageTest} sends the same requests in every build.
 */
@QuarkusTest
@TestProfile(SwaggerInChromiumTest.OwnFilters.class)
@Tag("long")
class SwaggerInChromiumTest {

  private static final String OPERATIONS =
      "Array.from(document.querySelectorAll('.opblock'), block => block.id)";

  /** Other tests may use the names of the examples, and the first example lists no filters. */
  public static class OwnFilters implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of(
          "bloomgate.embedded.data-dir",
          "target/swagger-data-" + System.getProperty("test.process", "alone"));
    }
  }

  private Path exported = Path.of("nothing-exported");

  @BeforeEach
  void removeLeftovers() {
    List<String> names = given().get("/v1/filters").jsonPath().getList("filters.name");
    names.forEach(name -> Api.delete(name).statusCode(204));
  }

  @Test
  void everyOperationOfThePageWorksOneAfterTheOther() throws Exception {
    var contract = Contract.read();
    try (var page = Chromium.start()) {
      page.open("http://localhost:" + RestAssured.port + "/q/swagger-ui/");
      page.await(OPERATIONS + ".length > 0");
      assertEquals(
          SwaggerPageTest.operations(contract).stream().map(SwaggerInChromiumTest::block).toList(),
          Contract.texts(page.evaluate(OPERATIONS)));

      var failures = new ArrayList<String>();
      for (var step : SwaggerPageTest.steps(contract)) {
        var operation = step.operation();
        unfold(page, operation);
        for (var type : types(operation)) {
          var status = execute(page, step, type);
          if (!status.startsWith("2")) {
            var answer = page.text(inBlock(operation, ".live-responses-table tr.response"));
            failures.add(step + " " + type + ": " + answer);
          }
        }
        if (operation.id().equals("exportFilter")) {
          exported = page.save(inBlock(operation, ".live-responses-table a[download]"));
        }
        fold(page, operation);
      }
      assertAll(
          () -> assertEquals(List.of(), failures),
          () -> assertEquals(List.of(), page.takeComplaints()));
    }
  }

  private static List<String> types(Operation operation) {
    return operation.bodies().isEmpty() ? List.of("") : List.copyOf(operation.bodies().keySet());
  }

  private static void unfold(Chromium page, Operation operation) {
    page.click(inBlock(operation, ".opblock-summary-control"));
    page.await(Chromium.element(inBlock(operation, ".try-out__btn")));
    if (!page.has(inBlock(operation, ".try-out__btn.cancel"))) {
      page.click(inBlock(operation, ".try-out__btn"));
    }
  }

  /** Swagger UI gets slower with every unfolded operation. */
  private static void fold(Chromium page, Operation operation) {
    page.click(inBlock(operation, ".opblock-summary-control"));
    page.await("!" + Chromium.element(inBlock(operation, ".opblock-body")));
  }

  /** Returns the status that the page shows. */
  private String execute(Chromium page, Step step, String type) {
    var operation = step.operation();
    if (!step.choice().isEmpty()) {
      page.pick(inBlock(operation, ".parameters .examples-select-element"), step.choice());
      page.pick(
          inBlock(operation, ".opblock-section-request-body .examples-select-element"),
          step.choice());
    }
    if (operation.bodies().size() > 1) {
      page.pick(inBlock(operation, ".body-param-content-type select"), type);
    }
    if (type.equals("application/octet-stream")) {
      page.upload(inBlock(operation, "input[type=file]"), exported);
    } else if (!type.isEmpty()) {
      awaitBody(page, operation, step.body(type));
    }
    var answer = inBlock(operation, ".live-responses-table");
    if (page.has(answer)) {
      page.click(inBlock(operation, ".btn-clear"));
      page.await("!" + Chromium.element(answer));
    }
    page.click(inBlock(operation, ".execute"));
    return page.text(answer + " tr.response td.response-col_status");
  }

  /** The page updates the field shortly after the type, and indents JSON. */
  private static void awaitBody(Chromium page, Operation operation, String body) {
    page.await(
        """
        (() => {
          const field = %s;
          const plain = (text) => {
            try {
              return JSON.stringify(JSON.parse(text));
            } catch (notJson) {
              return text;
            }
          };
          return field && plain(field.value) === plain(%s);
        })()
        """
            .formatted(
                Chromium.element(inBlock(operation, ".opblock-section-request-body textarea")),
                Chromium.quoted(body)));
  }

  private static String inBlock(Operation operation, String selector) {
    return "#" + block(operation) + " " + selector;
  }

  private static String block(Operation operation) {
    return "operations-" + operation.tag() + "-" + operation.id();
  }
}
