package io.github.bloomgate.http.access;

import static io.restassured.RestAssured.given;

import io.github.bloomgate.http.Api;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.restassured.response.ValidatableResponse;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A service with keys, which the profile and the tests use. */
public final class TestKeys implements QuarkusTestProfile {

  public static final String READER = token("reader");
  static final String FOLLOWER = token("follower");
  static final String WRITER = token("writer");
  public static final String ADMIN = token("admin");

  /** An admin limited to {@link #PREFIX} and a later prefix. */
  static final String LIMITED = token("limited");

  static final String PREFIX = "limited-";
  static final String LATER_PREFIX = "limits-";

  /** Has the length of a key, but is not one. */
  static final String UNKNOWN = token("unknown");

  /** The interval at which the service reads the file. */
  private static final String INTERVAL = "1s";

  /** Each concurrent test process has its own file. */
  private static final Path FILE =
      Path.of("target", "test-keys-" + System.getProperty("test.process", "alone"), "keys");

  @Override
  public Map<String, String> getConfigOverrides() {
    write();
    return Map.of(
        "bloomgate.security.keys-file", FILE.toString(),
        "bloomgate.security.keys-check-interval", INTERVAL,
        "bloomgate.security.keys", KeyQuotas.setting());
  }

  /** Replaces the file by one with the usual keys and more lines. */
  static void write(String... more) {
    var lines = new ArrayList<>(List.of(more));
    lines.add(ApiKey.line("reader", Role.READER, READER, List.of()));
    lines.add(ApiKey.line("follower", Role.FOLLOWER, FOLLOWER, List.of()));
    lines.add(ApiKey.line("writer", Role.WRITER, WRITER, List.of()));
    lines.add(ApiKey.line("admin", Role.ADMIN, ADMIN, List.of()));
    lines.add(ApiKey.line("limited", Role.ADMIN, LIMITED, List.of(PREFIX, LATER_PREFIX)));
    writeOnly(lines);
  }

  /** Replaces the content of the file by these lines. */
  static void writeOnly(List<String> lines) {
    try {
      Files.createDirectories(FILE.getParent());
      var next = Files.createTempFile(FILE.getParent(), "keys", "");
      Files.write(next, lines);
      Files.move(next, FILE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static RequestSpecification with(String token) {
    return given().header("Authorization", "Bearer " + token);
  }

  static RequestSpecification json(String token, Object body) {
    return with(token).contentType("application/json").body(body);
  }

  static ValidatableResponse put(String token, String name, String body) {
    return json(token, body).put(Api.FILTERS + name).then();
  }

  static ValidatableResponse post(String token, String name, String operation, String body) {
    return json(token, body).post(Api.FILTERS + name + "/" + operation).then();
  }

  /** Creates a filter that the limited key may not use. */
  static String newFilter() {
    return newFilter("");
  }

  static String newFilter(String prefix) {
    var name = prefix + Api.newName();
    put(ADMIN, name, "{\"expectedInsertions\": 1000}").statusCode(201);
    return name;
  }

  /** Not random, because it is only for tests. */
  static String token(String id) {
    return "bg_" + id + "_" + "testOnly-".repeat(5).substring(0, 43);
  }
}
