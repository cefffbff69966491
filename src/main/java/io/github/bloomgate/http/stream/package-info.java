/**
 * Streams of lines over HTTP: elements are processed while they arrive, and results are sent at the
 * end or, if the client asks for it, at the same time. Start with {@link
 * io.github.bloomgate.http.stream.ElementStream}.
 */
package io.github.bloomgate.http.stream;
