package io.github.bloomgate.http;

import static io.github.bloomgate.http.ProvokedProblems.SECRET;
import static io.github.bloomgate.http.ProvokedProblems.addSecret;
import static io.github.bloomgate.http.ProvokedProblems.awaitRedis;
import static io.github.bloomgate.http.ProvokedProblems.key;
import static io.github.bloomgate.http.ProvokedProblems.provoke;
import static io.github.bloomgate.http.ProvokedProblems.testSecret;
import static io.restassured.RestAssured.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.error.ErrorCode;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.ValidatableResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every error code, provoked over HTTP, on a Redis that tests may freeze and fill. */
@QuarkusTest
@TestProfile(OwnRedis.class)
@Tag("faults")
class ProblemTest {

  @ParameterizedTest
  @EnumSource(ErrorCode.class)
  void everyCodeIsAnsweredAsAProblemDocument(ErrorCode code) {
    var answer = provoke(code).extract().response();
    assertEquals(code.status(), answer.statusCode(), answer.asString());
    assertEquals("application/problem+json", answer.contentType());
    var problem = answer.jsonPath();
    assertEquals(
        "urn:bloomgate:problem:" + code.name().toLowerCase(Locale.ROOT).replace('_', '-'),
        problem.getString("type"));
    assertEquals(code.title(), problem.getString("title"));
    assertEquals(code.status(), problem.getInt("status"));
    assertEquals(code.name(), problem.getString("code"));
    assertTrue(problem.getString("detail").length() > 20, answer.asString());
    if (code.status() == 503 || code.status() == 429) {
      assertNotNull(answer.header("Retry-After"));
    } else {
      assertNull(answer.header("Retry-After"));
    }
    assertRevealsNothing(answer.asString());
  }

  @ParameterizedTest
  @EnumSource(Damage.class)
  void everyOperationReportsEveryDamage(Damage damage) {
    var name = Api.newFilter();
    addSecret(name).statusCode(200);
    damage.inflict(name);
    for (var answer :
        List.of(
            addSecret(name),
            testSecret(name),
            Api.testByUrl(name, "element=a"),
            given().get("/v1/gate/" + name + "?element=a").then(),
            Api.describe(name))) {
      damage.assertRefusedSafely(answer);
    }
    if (damage.isOfState) {
      for (var answer :
          List.of(
              Api.post(name, "clear", ""),
              Api.expiry(name, "{\"ttlSeconds\": 60}"),
              Api.delete(name + "/expiry"),
              Api.post(name, "rename", Map.of("to", Api.newName())))) {
        damage.assertRefusedSafely(answer);
      }
    }
  }

  private enum Damage {
    SEGMENT_LOST(ErrorCode.FILTER_DAMAGED, false, "DEL", ""),
    SEGMENT_CUT_SHORT(ErrorCode.FILTER_DAMAGED, false, "SET", "short"),
    STATE_INCOMPLETE(ErrorCode.FILTER_DAMAGED, true, "HDEL", "definition"),
    STATE_WITHOUT_CONTENT(ErrorCode.FILTER_DAMAGED, true, "HDEL", "incarnation"),
    STATE_OF_ANOTHER_TYPE(ErrorCode.WRONG_KEY_TYPE, true, "SET", "foreign");

    private final ErrorCode code;
    private final boolean isOfState;
    private final String command;
    private final String argument;

    Damage(ErrorCode code, boolean isOfState, String command, String argument) {
      this.code = code;
      this.isOfState = isOfState;
      this.command = command;
      this.argument = argument;
    }

    void inflict(String name) {
      var all = new ArrayList<String>();
      all.add(isOfState ? key(name) : Api.fields(name).getString("redisKey"));
      if (!argument.isEmpty()) {
        all.add(argument);
      }
      // A new version makes every instance read the state.
      if (isOfState && !command.equals("SET")) {
        OwnRedis.Server.redis.command("HSET", key(name), "version", "0123456789abcdef");
      }
      OwnRedis.Server.redis.command(command, all.toArray(String[]::new));
    }

    void assertRefusedSafely(ValidatableResponse answer) {
      assertRevealsNothing(Api.refused(code.status(), code.name(), answer).extract().asString());
    }
  }

  @Test
  void aStreamEndsWithAnErrorWhenRedisHangs() throws IOException {
    var name = Api.newFilter();
    awaitRedis(name);
    try (var shown = Conversation.open(name + "/add?return=flags&interleave=true")) {
      shown.send("a\n");
      assertEquals("1\n", shown.receive());
      OwnRedis.Server.redis.freeze();
      shown.send("b\n");
      assertThrows(IOException.class, shown::receive);
    } finally {
      OwnRedis.Server.redis.thaw();
      awaitRedis(name);
    }
    Api.awaitNoStream();
    try (var summed = Conversation.open(name + "/add")) {
      summed.send("c\n");
      Awaitility.await()
          .until(() -> Api.test(name, "c").extract().path("mightContainCount").equals(1));
      OwnRedis.Server.redis.freeze();
      summed.send(SECRET + "\n");
      var answer = summed.receiveWhole();
      assertEquals(504, answer.status(), answer.text());
      assertTrue(answer.text().contains("\"appliedCount\":1,\"line\":2"), answer.text());
      assertRevealsNothing(answer.headers() + answer.text());
    } finally {
      OwnRedis.Server.redis.thaw();
      awaitRedis(name);
    }
    Api.awaitNoStream();
  }

  @Test
  void aStalledUploadIsAborted() throws IOException {
    try (var stream = Conversation.open(Api.newFilter() + "/add")) {
      stream.send("a\n");
      assertThrows(IOException.class, stream::receiveAll);
    }
    Api.awaitNoStream();
  }

  private static void assertRevealsNothing(String body) {
    for (var inner :
        List.of(
            SECRET, FailingPaths.SECRET, "io.github", "Exception", "java.", "127.0.0.1", "\tat ")) {
      assertFalse(body.contains(inner), () -> "the response contains '" + inner + "': " + body);
    }
  }
}
