package io.github.bloomgate.http.request;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The parameters that the URL of an operation may have; without it, none. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface QueryNames {

  /** The names of those that may be given once. */
  String[] value();

  /** The names of those that may be given several times. */
  String[] repeated() default {};
}
