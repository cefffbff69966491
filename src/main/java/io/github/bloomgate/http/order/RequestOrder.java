package io.github.bloomgate.http.order;

import jakarta.ws.rs.Priorities;

/** What a request passes, from top to bottom. */
public final class RequestOrder {

  // Filters of the router: the greater number is first.

  /** The deadline for a body begins before anything else is done. */
  public static final int SLOW_CLIENTS = 9000;

  /** Anything that follows may refuse a request while its body is under way. */
  public static final int BODY_FLOW = 8500;

  /** Refusals of any kind have an id. */
  public static final int REQUEST_ID = 8000;

  /** Where it ends is not known of such a request, so that nothing else is asked of it. */
  public static final int TRANSFER = 7500;

  /** Every answer over HTTP/2 is without the headers of HTTP/1.1, refusals too. */
  public static final int ONLY_HTTP_1 = 7000;

  /** What belongs to the other port is not found by any client. */
  public static final int MANAGEMENT_PORT = 6000;

  /** Who may not be here learns nothing else. */
  public static final int CLIENT = 5000;

  /** Nothing is begun once the service is ending. */
  public static final int DEPARTURE = 4000;

  /** Before a path is taken for a name. */
  public static final int PATH = 3000;

  /** Before all that reads the body, the check of the framework included. */
  public static final int BODY_LIMIT = 2000;

  /** Before the framework chooses a method by what is accepted. */
  public static final int ACCEPT = 1000;

  // Here the framework authenticates, authorizes, and looks at the length of the body.

  /** Takes back the limit of the framework, which would count what is unpacked. */
  public static final int BODY_READER = 1;

  // Routes: the smaller number is first.

  /** Before the failure handler of the framework, which is the last. */
  public static final int FAILURES = -1000;

  /** Before the routes of the framework, which has some for the same paths. */
  public static final int PAGES = -50;

  /** Likewise. */
  public static final int METRICS_ACCESS = -50;

  // Filters and interceptors of Jakarta REST: the smaller number is first.

  /** Behind the check of names: who may not use a filter takes nothing of its rate. */
  public static final int RATES = Priorities.USER + 1000;

  /** Behind keys, names and rates: strangers learn nothing of an operation. */
  public static final int STRICT_REQUEST = Priorities.USER + 2000;

  /** Memory is taken for a body that nothing else refuses. */
  public static final int BODY_CHECK = Priorities.USER + 3000;

  private RequestOrder() {}
}
