package io.github.bloomgate.http;

import static io.github.bloomgate.support.Bytes.utf8;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.bloomgate.support.LogRecords;
import io.github.bloomgate.support.SelfSigned;
import io.github.bloomgate.support.TestHttp;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A source on a server with a private CA, which asks for credentials. */
@QuarkusTest
@WithTestResource(PrivateSourceTest.Server.class)
@Tag("slow")
class PrivateSourceTest {

  private static final String HEADER = "X-Token: s3cret-%d";

  @Test
  void aSourceIsReadWithTheCredentialsInTheFile() throws IOException {
    Server.http.answer("/list", "200 OK", utf8("a\nb\n"));
    var name = Api.newFilter();
    try (var records = LogRecords.ofAll()) {
      for (var token = 1; token <= 2; token++) {
        Server.write(token);
        var set = Api.source(name, "{\"url\": \"" + Server.http.url("/list") + "\"}");
        var run = run(name).statusCode(200).body("lastRun.elements", equalTo(2));
        assertHidden(set.statusCode(200), run, Api.describe(name), SourceResourceTest.source(name));
        var header = HEADER.formatted(token);
        assertEquals(1, Server.http.requests().stream().filter(header::equals).count());
      }
      assertFalse(records.seen().toString().contains("s3cret"), records.seen().toString());
    }
  }

  @Test
  void aRefusalNamesTheServerAndTheSetting() throws IOException {
    Server.http.answer("/refused", "403 Forbidden", utf8("No s3cret-3\n"));
    var name = Api.newFilter();
    try (var records = LogRecords.ofAll()) {
      Server.write(3);
      Api.source(name, "{\"url\": \"" + Server.http.url("/refused") + "\"}").statusCode(200);
      var run =
          Api.refused(502, "SOURCE_UNREADABLE", run(name))
              .body("detail", containsString(Server.http.url("") + " responded with status 403"))
              .body("detail", containsString("bloomgate.sources.credentials-file"));
      assertHidden(run, Api.describe(name), SourceResourceTest.source(name));
      assertFalse(records.seen().toString().contains("s3cret"), records.seen().toString());
    }
  }

  private static ValidatableResponse run(String name) {
    return given().post(Api.FILTERS + name + "/rebuild/run?wait=true").then();
  }

  private static void assertHidden(ValidatableResponse... responses) {
    for (var response : responses) {
      var text = response.extract().asString() + response.extract().headers();
      assertFalse(text.contains("s3cret"), text);
    }
  }

  /** The server with the list, and the settings to read from it. */
  public static final class Server implements QuarkusTestResourceLifecycleManager {

    static TestHttp http;
    private static Path file;

    @Override
    public Map<String, String> start() {
      try {
        var folder = Files.createTempDirectory("bloomgate-private-source");
        var own = SelfSigned.in(folder);
        http = TestHttp.withTls(own);
        file = folder.resolve("credentials");
        write(0);
        return Map.of(
            "bloomgate.sources.allowed-urls", http.url("/"),
            "bloomgate.sources.credentials-file", file.toString(),
            "quarkus.tls.sources.trust-store.pem.certs", own.certificate().toString());
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      } catch (GeneralSecurityException failure) {
        throw new IllegalStateException(failure);
      }
    }

    /** Replaces the file by one with another token. */
    static void write(int token) throws IOException {
      var host = http.url("").substring("https://".length());
      Files.writeString(file, host + " " + HEADER.formatted(token) + "\n");
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    @Override
    public void stop() {
      http.close();
    }
  }
}
