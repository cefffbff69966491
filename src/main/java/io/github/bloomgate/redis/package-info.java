/**
 * The only package that uses the Redis driver: one pipelined link, and atomic scripts over it.
 *
 * <p>Depends only on the error and configuration types of the service; its callers know the
 * scripts. Start with {@link io.github.bloomgate.redis.ScriptRunner}, then {@link
 * io.github.bloomgate.redis.RedisLink}.
 */
package io.github.bloomgate.redis;
