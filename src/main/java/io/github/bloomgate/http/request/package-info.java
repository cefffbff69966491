/**
 * Request bodies, query parameters and media types, decoded strictly and checked before any work.
 * Start with {@link io.github.bloomgate.http.request.JsonBody}.
 */
package io.github.bloomgate.http.request;
