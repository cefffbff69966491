/**
 * The only place that touches the Redis driver: one pipelined link, and atomic scripts run over it.
 *
 * <p>It depends on the error and configuration types and on nothing else of the service; what the
 * scripts mean is the business of its callers. Start reading at {@link
 * io.github.bloomgate.redis.ScriptRunner}, then {@link io.github.bloomgate.redis.RedisLink}.
 */
package io.github.bloomgate.redis;
