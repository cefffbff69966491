/**
 * HTTP: paths, JSON bodies and problem documents. The only packages that use {@code jakarta.ws.rs}.
 * Turns requests into calls of the packages below and results into views. Start with {@link
 * io.github.bloomgate.http.FilterResource} and {@link io.github.bloomgate.http.ElementResource}.
 */
package io.github.bloomgate.http;
