package io.github.bloomgate.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Starts a Redis for the tests of a class.
 *
 * <p>Before all tests, static fields of type {@code TestRedis} get that server, and each field of
 * type {@code TestLink} or {@link TestInstance} gets its own link or instance, unless the field is
 * {@link Special}. After all tests, everything in static fields that can be closed is closed, the
 * servers last.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(RedisOfClass.class)
public @interface OnRedis {

  /** Command-line options of the server, such as "--maxclients", "1". */
  String[] value() default {};

  /** Marks a field that the class sets before all tests. */
  @Target(ElementType.FIELD)
  @Retention(RetentionPolicy.RUNTIME)
  @interface Special {}
}
