package io.github.bloomgate.console;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.http.HastyOnTwoPorts;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import org.junit.jupiter.api.Test;

/** The console of a service that serves health and metrics on another port. */
@QuarkusTest
@TestProfile(HastyOnTwoPorts.class)
class ConsoleOnTwoPortsInChromiumTest extends ConsoleInChromium {

  private static final String LINK = "document.querySelector('nav a[href=\"%s\"]')";

  @Test
  void linksToTheOtherPortAreNotShown() {
    page.await("!" + LINK.formatted("q/health") + " && !" + LINK.formatted("q/metrics"));
    assertTrue(page.evaluate(LINK.formatted("q/swagger-ui/") + " !== null").asBoolean());
  }
}
