/**
 * Readiness and metrics of the service. Start with {@link
 * io.github.bloomgate.server.observe.RedisReadiness}.
 */
package io.github.bloomgate.server.observe;
