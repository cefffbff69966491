/**
 * Access control in HTTP: which clients are allowed, the API keys, and which of them for which
 * operations and names. Start with {@link io.github.bloomgate.http.access.ClientCheck} and {@link
 * io.github.bloomgate.http.access.Caller}.
 */
package io.github.bloomgate.http.access;
