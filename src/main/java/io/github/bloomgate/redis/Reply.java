package io.github.bloomgate.redis;

import io.vertx.redis.client.Response;

/**
 * The reply to a request.
 *
 * @param response null for a nil reply
 * @param replicas the number of replicas that confirmed the change; 0 if they did not have to
 */
record Reply(Response response, int replicas) {}
