package io.github.bloomgate.http.order;

/** The order of filters and routes of the router. */
public final class RequestOrder {

  // Filters: the greater number is first.

  /** Refusals of any kind have an id. */
  public static final int REQUEST_ID = 3000;

  /** Before the framework looks at keys or reads the body. */
  public static final int DOOR = 2000;

  /** Before the framework chooses the format of metrics. */
  public static final int METRICS_FORMAT = 1000;

  // Routes: the smaller number is first.

  /** Before the failure handler of the framework, which is the last. */
  public static final int FAILURES = -1000;

  /** Before the routes of the framework, which has some for the same paths. */
  public static final int PAGES = -50;

  /** Before the framework's route of the metrics. */
  public static final int METRICS_ACCESS = -50;

  private RequestOrder() {}
}
