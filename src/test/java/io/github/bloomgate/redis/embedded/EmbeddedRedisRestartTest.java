package io.github.bloomgate.redis.embedded;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import org.junit.jupiter.api.Tag;

/**
 * The same tests after the application was stopped and started in this JVM, as another profile
 * makes it do; the folder of the first run must be free by then.
 */
@QuarkusTest
@TestProfile(EmbeddedRedisRestartTest.Again.class)
@Tag("slow")
class EmbeddedRedisRestartTest extends EmbeddedRedisHostsTest {

  /** The same as the default profile, but a different class. */
  public static class Again implements QuarkusTestProfile {}
}
