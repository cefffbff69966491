/**
 * Limits for clients: rates of requests and elements, and deadlines for sending and reading. Start
 * with {@link io.github.bloomgate.http.limits.RateLimits} and {@link
 * io.github.bloomgate.http.limits.SlowClients}.
 */
package io.github.bloomgate.http.limits;
