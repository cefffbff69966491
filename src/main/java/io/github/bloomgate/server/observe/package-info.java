/**
 * Readiness and metrics of the service.
 *
 * <p>May use every other package; none may use it. Start with {@link
 * io.github.bloomgate.server.observe.RedisReadiness}.
 */
package io.github.bloomgate.server.observe;
