package io.github.bloomgate.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The least and the largest value of a setting. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Range {

  /** The least. */
  double min();

  /** The largest. */
  double max() default Double.MAX_VALUE;
}
