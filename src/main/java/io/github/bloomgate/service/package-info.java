/**
 * The use cases: what can be done with filters and with their elements. Depends on {@code store}
 * and {@code filter}, knows nothing of HTTP. Start with {@link
 * io.github.bloomgate.service.CreationService} and {@link
 * io.github.bloomgate.service.ElementService}.
 */
package io.github.bloomgate.service;
