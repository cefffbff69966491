package io.github.bloomgate.http;

import static io.github.bloomgate.support.Bytes.utf8;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A run that takes longer than a connection may be idle. */
@QuarkusTest
@TestProfile(HastyOnTwoPorts.class)
@Tag("slow")
class LongRunTest {

  @Test
  void aClientThatWaitsGetsAResponseBeforeItsConnectionIsClosed() {
    var name = Api.newFilter();
    var sources = HastyOnTwoPorts.Sources.http;
    Api.source(name, "{\"url\": \"" + sources.url("/held") + "\"}").statusCode(200);
    var held = sources.hold("/held", utf8("first\n"), utf8("last"));
    try {
      given()
          .post(Api.FILTERS + name + "/rebuild/run?wait=true")
          .then()
          .statusCode(202)
          .body("runningSince", notNullValue());
    } finally {
      held.release();
    }
    Awaitility.await()
        .untilAsserted(() -> SourceResourceTest.source(name).body("lastRun.elements", equalTo(2)));
  }
}
