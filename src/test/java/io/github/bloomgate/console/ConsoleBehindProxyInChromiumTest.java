package io.github.bloomgate.console;

import static io.github.bloomgate.support.Chromium.element;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.Api;
import io.github.bloomgate.support.PrefixProxy;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The console and Swagger UI in a browser, behind a proxy that strips a path prefix. */
@QuarkusTest
class ConsoleBehindProxyInChromiumTest extends ConsoleInChromium {

  private PrefixProxy proxy;

  @BeforeEach
  void startProxy() throws IOException {
    proxy = PrefixProxy.start("/tools/bloomgate", RestAssured.port);
  }

  @AfterEach
  @Override
  protected void leaveThePage() {
    super.leaveThePage();
    proxy.close();
  }

  @Test
  void theConsoleAsksTheServiceBehindItsPrefix() {
    var name = Api.newFilter();
    page.open(proxy.uri("/").toString());
    page.await("document.readyState === 'complete' && " + element("#filters"));
    show(name, "elements");
    page.type("#text", "hello");
    var line = curl("#add-curl");
    assertTrue(line.contains(proxy.uri(Api.FILTERS + name + "/add").toString()), line);
    page.click("#elements button[value=add]");
    awaitElements(1);
    Api.test(name, "hello").body("mightContainCount", equalTo(1));
    for (var link : new String[] {"/q/swagger-ui/", "/q/openapi?format=json", "/q/health"}) {
      var uri = proxy.uri(link).toString();
      var found = "[...document.querySelectorAll('nav a')].some(a => a.href === '" + uri + "')";
      assertTrue(page.evaluate(found).asBoolean(), uri);
    }
  }

  @Test
  void swaggerUiAsksTheServiceBehindItsPrefix() {
    page.open(proxy.uri("/q/swagger-ui").toString());
    var block = "#operations-Filters-listFilters";
    page.click(block + " .opblock-summary-control");
    page.click(block + " .try-out__btn");
    page.click(block + " .execute");
    assertEquals(
        "200", page.text(block + " .live-responses-table tr.response td.response-col_status"));
    var asked = page.text(block + " .request-url");
    assertTrue(asked.contains(proxy.uri("/v1/filters?").toString()), asked);
  }
}
