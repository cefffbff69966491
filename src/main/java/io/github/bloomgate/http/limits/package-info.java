/**
 * Limits for clients: rates of requests and elements, and the number of streams. Start with {@link
 * io.github.bloomgate.http.limits.RateLimits}.
 */
package io.github.bloomgate.http.limits;
