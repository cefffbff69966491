/**
 * The embedded Redis for services without a configured one: a real redis-server with an append-only
 * file in a data folder, so that filters survive a restart. One service locks the folder at a time,
 * and a server left behind by a killed service is shut down before a new one starts. Start with
 * {@link io.github.bloomgate.redis.embedded.EmbeddedRedis}.
 */
package io.github.bloomgate.redis.embedded;
