package io.github.bloomgate.http.order;

/** The order of filters and routes of the router. */
public final class RequestOrder {

  // Filters: higher numbers run first.

  /** First, so that all refusals have an id. */
  public static final int REQUEST_ID = 3000;

  /** Before the framework checks keys or reads the body. */
  public static final int DOOR = 2000;

  /** Before the framework chooses the format of metrics. */
  public static final int METRICS_FORMAT = 1000;

  // Routes: lower numbers run first.

  /** Before the framework's failure handler. */
  public static final int FAILURES = -1000;

  /** Before the framework's routes for the same paths. */
  public static final int PAGES = -50;

  private RequestOrder() {}
}
