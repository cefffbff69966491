package io.github.bloomgate.http;

import static org.hamcrest.Matchers.emptyString;

import io.github.bloomgate.support.RawRedis;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The gate refuses what is absent or what may be there, and never takes an error for either. */
@QuarkusTest
class GateTest {

  private static final String IN = "SPRING-7Q2";
  private static final String OUT = "SUMMER-1AB";

  @Inject RawRedis redis;

  @Test
  void theGateRefusesWhatIsAbsentOrWhatMayBeThere() {
    var name = filter();
    gate(name + "?element=" + IN).statusCode(204).body(emptyString());
    gate(name + "?refuse=absent&element=" + IN).statusCode(204);
    gate(name + "?refuse=absent&element=" + OUT).statusCode(403).body(emptyString());
    gate(name + "?refuse=maybe&element=" + IN).statusCode(403).body(emptyString());
    gate(name + "?refuse=maybe&element=" + OUT).statusCode(204).body(emptyString());
    gate(name + "?refuse=maybe&encoding=hex&element=535052494e472d375132").statusCode(403);
  }

  @Test
  void theGateOfSeveralFiltersRefusesWhatMayBeInOneOrInAll() {
    var filters = "?filter=%s&filter=%s&refuse=maybe&element=".formatted(filter(), Api.newFilter());
    gate(filters + IN).statusCode(403).body(emptyString());
    gate(filters + IN + "&match=all").statusCode(204).body(emptyString());
    gate(filters + OUT).statusCode(204);
    gate(filters + OUT + "&match=all").statusCode(204);
    var missing = "?filter=%s&filter=%s&refuse=maybe&element=".formatted(filter(), Api.newName());
    Api.refused(404, "FILTER_NOT_FOUND", gate(missing + OUT));
    gate(missing + IN + "&missing=ignore").statusCode(403);
    gate(missing + OUT + "&missing=ignore").statusCode(204);
  }

  @ParameterizedTest
  @ValueSource(strings = {"absent", "maybe"})
  void anErrorIsNoAnswer(String refused) {
    var name = filter();
    var query = "?refuse=" + refused + "&element=";
    Api.refused(400, "INVALID_REQUEST", gate(name + query + "x&encoding=hex"));
    Api.refused(400, "INVALID_REQUEST", gate(name + query + IN + "&element=" + OUT));
    Api.refused(404, "FILTER_NOT_FOUND", gate(Api.newName() + query + OUT));
    redis.run("DEL", Api.fields(name).getString("redisKey"));
    Api.refused(410, "FILTER_DAMAGED", gate(name + query + OUT));
  }

  /** A variable of the proxy without a value would otherwise pass. */
  @Test
  void anEmptyElementDoesNotPassAGateThatRefusesMaybe() {
    var name = filter();
    gate(name + "?element=").statusCode(403);
    Api.refused(400, "INVALID_REQUEST", gate(name + "?refuse=maybe&element="));
    Api.refused(400, "INVALID_REQUEST", gate(name + "?refuse=maybe&encoding=hex&element="));
    Api.refused(400, "INVALID_REQUEST", gate("?refuse=maybe&element=&filter=" + name));
  }

  /** Some programs would read another element. */
  @ParameterizedTest
  @ValueSource(strings = {"absent", "maybe"})
  void aSemicolonMustBeEncoded(String refused) {
    var query = filter() + "?refuse=" + refused + "&element=" + IN;
    Api.refused(400, "INVALID_REQUEST", gate(query + ";"));
    Api.refused(400, "INVALID_REQUEST", gate(query + ";element=" + OUT));
    gate(query + "%3B").statusCode(refused.equals("maybe") ? 204 : 403);
  }

  private static String filter() {
    var name = Api.newFilter("{\"expectedInsertions\": 100, \"falsePositiveProbability\": 1e-9}");
    Api.add(name, IN).statusCode(200);
    return name;
  }

  private static ValidatableResponse gate(String target) {
    return Api.raw().get("/v1/gate" + (target.startsWith("?") ? "" : "/") + target).then();
  }
}
