/**
 * How much a client may ask for at a time, and how slowly it may send: rates of requests and
 * elements, deadlines for what a request consists of. Start with {@link
 * io.github.bloomgate.api.limits.RateLimits} and {@link
 * io.github.bloomgate.api.limits.SlowClients}.
 */
package io.github.bloomgate.api.limits;
