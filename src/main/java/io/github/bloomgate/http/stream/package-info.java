/**
 * Streams of lines over HTTP: elements are acted on while they arrive, and answers go out
 * meanwhile. Start with {@link io.github.bloomgate.http.stream.ElementStream}.
 */
package io.github.bloomgate.http.stream;
