/**
 * HTTP: paths, JSON bodies and problem documents. The only room that uses {@code jakarta.ws.rs}.
 * Turns requests into calls of the rooms below and results into views. Start with {@link
 * io.github.bloomgate.http.FilterResource} and {@link io.github.bloomgate.http.ElementResource}.
 */
package io.github.bloomgate.http;
