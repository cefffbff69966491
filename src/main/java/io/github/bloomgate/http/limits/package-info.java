/**
 * How much a client may ask for at a time, and how slowly it may send: rates of requests and
 * elements, deadlines for what a request consists of. Start with {@link
 * io.github.bloomgate.http.limits.RateLimits} and {@link
 * io.github.bloomgate.http.limits.SlowClients}.
 */
package io.github.bloomgate.http.limits;
