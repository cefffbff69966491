/**
 * HTTP: paths, JSON bodies and problem documents. The only package that knows {@code
 * jakarta.ws.rs}; it turns requests into calls of {@code service} and results into views. Start
 * with {@link io.github.bloomgate.api.FilterResource} and {@link
 * io.github.bloomgate.api.ElementResource}.
 */
package io.github.bloomgate.api;
