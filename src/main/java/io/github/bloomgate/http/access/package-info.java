/**
 * Access control in HTTP: which clients are allowed, and which keys for which operations and names.
 * Start with {@link io.github.bloomgate.http.access.ClientCheck} and {@link
 * io.github.bloomgate.http.access.Caller}.
 */
package io.github.bloomgate.http.access;
