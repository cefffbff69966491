/**
 * What operators see of the service: whether it is ready, and how it does.
 *
 * <p>It may use every other package and none may use it. Start reading at {@link
 * io.github.bloomgate.server.observe.RedisReadiness}.
 */
package io.github.bloomgate.server.observe;
