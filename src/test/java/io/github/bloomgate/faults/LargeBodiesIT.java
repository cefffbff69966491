package io.github.bloomgate.faults;

import static io.github.bloomgate.support.Bytes.utf8;
import static io.github.bloomgate.support.Bytes.zipped;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.bloomgate.redis.TestRedis;
import io.github.bloomgate.support.OnRedis;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** With the image's memory limits, no client with the role reader can bring the service down. */
@OnRedis
@Tag("faults")
class LargeBodiesIT {

  private static final int LARGE = 16_000_000;
  private static final int PLAIN = 14 << 20;

  private static TestRedis redis;
  private static PackagedService service;

  @BeforeAll
  static void start() {
    service =
        PackagedService.start(List.of("@target/quarkus-app/bloomgate.vmoptions"), redis.uri());
    service.done("PUT", "/v1/filters/small", "{\"expectedInsertions\": 1000}");
  }

  @Test
  void bodiesThatUnpackToOneLongText() throws Exception {
    var body = zipped(utf8("{\"elements\":[\"" + "a".repeat(LARGE) + "\"]}"));
    attack(8, request(body, "gzip"), 422);
  }

  @Test
  void bodiesThatUnpackToManyElements() throws Exception {
    var body = zipped(utf8(elements(LARGE / 1004, 1000)));
    attack(8, request(body, "gzip"), 422);
  }

  @Test
  void bodiesThatUnpackToElementsThatAreTested() throws Exception {
    var body = zipped(utf8(elements(LARGE / 2004, 2000)));
    attack(8, request(body, "gzip"), 200);
  }

  @Test
  void plainBodies() throws Exception {
    var body = elements(PLAIN / 2004, 2000).getBytes(StandardCharsets.UTF_8);
    attack(16, request(body, "identity"), 200);
  }

  /**
   * One alone is served. Of many at once some are refused, or all, because they take memory as they
   * arrive.
   */
  private void attack(int atOnce, HttpRequest request, int ofServed) throws IOException {
    assertEquals(ofServed, service.sendAsync(request).join().statusCode(), this::end);
    var answers =
        IntStream.range(0, atOnce).mapToObj(i -> service.sendAsync(request)).toList().stream()
            .map(answer -> answer.handle((come, broken) -> come).join())
            .toList();
    assertTrue(answers.stream().allMatch(answer -> answer != null), this::end);
    var statuses = answers.stream().map(HttpResponse::statusCode).collect(Collectors.toSet());
    assertTrue(statuses.contains(503) && Set.of(ofServed, 503).containsAll(statuses), this::end);
    answers.stream()
        .filter(answer -> answer.statusCode() == 503)
        .forEach(LargeBodiesIT::assertOverloaded);
    service.done("POST", "/v1/filters/small/test", "{\"elements\": [\"a\"]}");
    assertEquals(List.of(), service.log("OutOfMemory"));
    assertEquals(0, service.metric("bloom_memory_held_bytes{use=\"bodies\",}"));
  }

  private static void assertOverloaded(HttpResponse<byte[]> answer) {
    assertTrue(PackagedService.text(answer).contains("OVERLOADED"), PackagedService.text(answer));
    assertTrue(answer.headers().firstValue("Retry-After").isPresent());
  }

  private String end() {
    var log = service.log();
    return String.join("\n", log.subList(Math.max(0, log.size() - 20), log.size()));
  }

  private HttpRequest request(byte[] body, String coding) {
    return HttpRequest.newBuilder(service.uri("/v1/filters/small/test"))
        .timeout(FaultRun.MAX_WAIT)
        .header("Content-Type", "application/json")
        .header("Content-Encoding", coding)
        .POST(BodyPublishers.ofByteArray(body))
        .build();
  }

  private static String elements(int count, int length) {
    return Collections.nCopies(count, "\"" + "b".repeat(length) + "\"").stream()
        .collect(Collectors.joining(", ", "{\"elements\":[", "]}"));
  }
}
