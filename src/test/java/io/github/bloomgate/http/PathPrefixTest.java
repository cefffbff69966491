package io.github.bloomgate.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.bloomgate.support.PrefixProxy;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Addresses in responses work through a proxy that adds a path prefix. */
@QuarkusTest
class PathPrefixTest {

  private final HttpClient client = HttpClient.newHttpClient();
  private final String name = "a:b@c~" + Api.newName();
  private PrefixProxy proxy;

  @BeforeEach
  void start() throws IOException {
    proxy = PrefixProxy.start("/tools/bloomgate", RestAssured.port);
  }

  @AfterEach
  void stop() {
    proxy.close();
  }

  @Test
  void theLocationLeadsToTheNewResource() throws Exception {
    var filter = proxy.uri(Api.FILTERS + name);
    assertEquals(filter, created("PUT", filter, "{\"expectedInsertions\": 10}"));

    var rebuild = proxy.uri(Api.FILTERS + name + "/rebuild");
    assertEquals(rebuild, created("POST", rebuild, "{}"));

    var copy = proxy.uri(Api.FILTERS + name + ".copy");
    var toCopy = proxy.uri(Api.FILTERS + name + "/copy");
    assertEquals(copy, created("POST", toCopy, "{\"to\": \"%s.copy\"}".formatted(name)));
  }

  /** The service ignores the slash, but it matters when a client resolves a relative address. */
  @Test
  void aSlashAtTheEndChangesNoLocation() throws Exception {
    var filter = proxy.uri(Api.FILTERS + name);
    assertEquals(filter, created("PUT", URI.create(filter + "/"), "{\"expectedInsertions\": 10}"));
  }

  @Test
  void swaggerUiIsFoundWithoutItsSlash() throws Exception {
    var page = send("GET", proxy.uri("/q/swagger-ui"), "");
    assertEquals(302, page.statusCode());
    assertEquals(proxy.uri("/q/swagger-ui/"), location(page));
    assertEquals(200, send("GET", location(page), "").statusCode());
  }

  private URI created(String method, URI uri, String json) throws Exception {
    var answer = send(method, uri, json);
    assertEquals(201, answer.statusCode(), answer.body());
    assertEquals(200, send("GET", location(answer), "").statusCode());
    return location(answer);
  }

  /** Resolves the address as clients do. */
  private static URI location(HttpResponse<String> answer) {
    var location = answer.headers().firstValue("Location").orElseThrow();
    assertFalse(URI.create(location).isAbsolute(), location);
    return answer.uri().resolve(location);
  }

  private HttpResponse<String> send(String method, URI uri, String json) throws Exception {
    return client.send(
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/json")
            .method(
                method, json.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(json))
            .build(),
        BodyHandlers.ofString());
  }
}
