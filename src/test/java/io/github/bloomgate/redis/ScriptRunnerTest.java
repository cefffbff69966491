package io.github.bloomgate.redis;

import static io.github.bloomgate.redis.TestLink.await;
import static io.github.bloomgate.support.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.model.error.ErrorCode;
import io.github.bloomgate.support.OnRedis;
import io.smallrye.mutiny.Uni;
import io.vertx.redis.client.Response;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scripts are sent by their digest, and every reply is read strictly. */
@OnRedis
class ScriptRunnerTest {

  private static final List<String> KEYS = List.of("bloom:readiness");

  private static TestRedis redis;
  private static TestLink link;

  @Test
  void everyShapeIsReadWithItsType() {
    ScriptReply reply = reply("{'OK', 'text', 42, '-7', '\\0\\255'}");
    assertEquals("OK", reply.status());
    assertEquals(5, reply.size());
    assertEquals("text", reply.text(1));
    assertEquals(42, reply.number(2));
    assertEquals(-7, reply.number(3));
    assertArrayEquals(new byte[] {0, -1}, reply.bytes(4));
  }

  @Test
  void fieldsAreReadAsNamesAndValues() {
    ScriptReply reply = reply("{'OK', {'name', '\\0\\255'}, {}, {'name'}}");
    assertArrayEquals(new byte[] {0, -1}, reply.fields(1).get("name"));
    assertEquals(0, reply.fields(2).size());
    assertInternal(() -> reply.fields(3));
  }

  @Test
  void theStatusMayBeAStatusReply() {
    assertEquals("WRONG_TYPE", reply("{redis.status_reply('WRONG_TYPE')}").status());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "'OK'",
        "redis.status_reply('OK')",
        "1",
        "false",
        "nil",
        "{1}",
        "{{'OK'}}",
        "{''}",
        "{'ok'}",
        "{'O K'}",
        "{false, 'OK'}"
      })
  void aReplyWithoutStatusIsRefused(String lua) {
    Response response = run(lua);
    assertInternal(() -> new ScriptReply(Script.FIND, response, 0));
  }

  @Test
  void anElementOfAnotherShapeIsRefused() {
    ScriptReply reply = reply("{'OK', 'text', 1, {'odd'}}");
    assertInternal(() -> reply.text(2));
    assertInternal(() -> reply.text(3));
    assertInternal(() -> reply.text(4));
    assertInternal(() -> reply.text(-1));
    assertInternal(() -> reply.bytes(2));
    assertInternal(() -> reply.number(1));
    assertInternal(() -> reply.number(3));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"''", "'1.5'", "'1e3'", "'+1'", "'007'", "' 1'", "'9223372036854775808'", "'-0'"})
  void onlyWholeNumbersAreAccepted(String lua) {
    ScriptReply reply = reply("{'OK', " + lua + "}");
    assertInternal(() -> reply.number(1));
  }

  @Test
  void theWholeRangeOfNumbersIsRead() {
    ScriptReply reply = reply("{'OK', '9223372036854775807', '-9223372036854775808', '0'}");
    assertEquals(Long.MAX_VALUE, reply.number(1));
    assertEquals(Long.MIN_VALUE, reply.number(2));
    assertEquals(0, reply.number(3));
  }

  @Test
  void anUnexpectedStatusNamesScriptAndStatus() {
    String message = reply("{'GONE'}").unexpectedStatus().getMessage();
    assertTrue(message.contains("find") && message.contains("GONE"), message);
  }

  private static ScriptReply reply(String lua) {
    return new ScriptReply(Script.FIND, run(lua), 0);
  }

  private static Response run(String lua) {
    return TestLink.await(link.read("EVAL", "return " + lua, "0"));
  }

  private static void assertInternal(Executable reading) {
    var failure = assertFails(ErrorCode.INTERNAL, reading);
    assertTrue(failure.getMessage().contains("find"), failure.getMessage());
  }

  @Test
  void theTextIsSentOnlyIfTheDigestIsUnknown() {
    ScriptRunner runner = new ScriptRunner(link.link(), link.registry());
    assertEquals("OK", await(ping(runner)).status());
    assertEquals(1, fallbacks());
    assertEquals("OK", await(ping(runner)).status());
    assertEquals(1, fallbacks());
    redis.command("SCRIPT", "FLUSH");
    assertEquals("OK", await(ping(runner)).status());
    assertEquals("OK", await(ping(runner)).status());
    assertEquals(2, fallbacks());
    assertEquals(4, link.registry().get("bloom.script").tag("script", "drop").timer().count());
  }

  private static Uni<ScriptReply> ping(ScriptRunner runner) {
    return runner.send(new ScriptCall(Script.DROP, Effect.WRITE, KEYS, new Arguments()));
  }

  private static double fallbacks() {
    return link.registry().get("bloom.script.fallbacks").tag("script", "drop").counter().count();
  }
}
