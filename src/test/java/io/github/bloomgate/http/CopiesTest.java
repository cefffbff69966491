package io.github.bloomgate.http;

import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.support.Following;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What descriptions and metrics say about the copies of a filter. */
@QuarkusTest
class CopiesTest {

  private static JsonPath copies(String name) {
    return Api.fields(name).setRootPath("copies");
  }

  private static double ended(String reason) {
    return Api.metric("bloom_follow_ended_total{reason=\"%s\",}".formatted(reason));
  }

  private static void awaitEnded(String reason, double count) {
    Awaitility.await().until(() -> ended(reason), is(count));
  }

  @Test
  void aFilterThatIsNotWatchedHasNone() {
    var name = Api.newFilter();
    Api.add(name, "a");
    var description = Api.tree(Api.description(name));
    assertTrue(description.has("copies"));
    assertTrue(description.get("copies").isNull());
  }

  @Test
  void aFilterThatIsTestedWithMaxAgeHasAnAgeAndNoFollowers() {
    var name = Api.newFilter();
    Api.add(name, "a");
    Api.raw().get("/v1/filters/" + name + "/test?element=a&maxAge=60").then().statusCode(200);
    Awaitility.await().until(() -> copies(name).get("ageSeconds"), notNullValue());

    var copies = copies(name);
    assertTrue(copies.getDouble("ageSeconds") > 0);
    assertEquals(0, copies.getInt("followers"));
    assertEquals(0, copies.getLong("bytesSent"));
    assertNull(copies.get("lagSeconds"));
  }

  @Test
  void followersAreCountedWithWhatTheyGot() throws Exception {
    var name = Api.newFilter();
    Api.add(name, "a");
    var gone = ended("client");
    try (var one = Following.of(name);
        var other = Following.of(name)) {
      one.awaitFrames();
      other.awaitFrames();
      assertEquals(2, copies(name).getInt("followers"));
      Awaitility.await().until(() -> copies(name).get("lagSeconds"), notNullValue());
      assertTrue(copies(name).getDouble("lagSeconds") > 0);
      assertTrue(copies(name).getDouble("ageSeconds") > 0);
      var before = copies(name).getLong("bytesSent");
      Api.add(name, "b");
      Awaitility.await().until(() -> copies(name).getLong("bytesSent"), greaterThan(before));
    }
    Awaitility.await().until(() -> copies(name).getInt("followers"), is(0));
    assertNull(copies(name).get("lagSeconds"));
    assertTrue(copies(name).getLong("bytesSent") > 0, "those that have left still count");
    awaitEnded("client", gone + 2);
  }

  /** All operations describe a filter the same way. */
  @Test
  void aChangedFilterIsDescribedWithItsCopies() throws Exception {
    var name = Api.newFilter();
    try (var follower = Following.of(name)) {
      follower.awaitFrames();
      var cleared = Api.post(name, "clear", "").statusCode(200).extract().jsonPath();
      assertEquals(1, cleared.getInt("copies.followers"));
    }
  }

  @Test
  void theBytesOfAStreamAreCounted() {
    var name = Api.newFilter();
    var before = Api.metric("bloom_follow_bytes_total");
    var ended = ended("once");
    var frames = Api.raw().get("/v1/filters/" + name + "/follow?once=true").asByteArray();
    assertEquals(before + frames.length, Api.metric("bloom_follow_bytes_total"));
    awaitEnded("once", ended + 1);
  }

  @Test
  void anErrorIsTheReasonOfAnEnd() throws Exception {
    var name = Api.newFilter();
    var ended = ended("FILTER_NOT_FOUND");
    try (var follower = Following.of(name)) {
      Api.delete(name).statusCode(204);
      follower.awaitEnd();
    }
    awaitEnded("FILTER_NOT_FOUND", ended + 1);
  }
}
