/**
 * What comes in: bodies, query parameters and media types, decoded strictly and checked before
 * anything is done. Start with {@link io.github.bloomgate.http.request.JsonBody}.
 */
package io.github.bloomgate.http.request;
