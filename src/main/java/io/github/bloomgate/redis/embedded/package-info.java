/**
 * The Redis the service starts itself when none is configured: a real redis-server on loopback with
 * an append-only file in a data folder, so filters survive a restart. One service holds a folder at
 * a time, and a server left behind by a killed service is shut down before a new one starts. Start
 * with {@link io.github.bloomgate.redis.embedded.EmbeddedRedis}.
 */
package io.github.bloomgate.redis.embedded;
