/**
 * API keys: their format, storage and permissions; and which clients are allowed without keys.
 * Depends on HTTP for credentials, but not on filters. Start with {@link
 * io.github.bloomgate.http.security.ApiKeys} and {@link
 * io.github.bloomgate.http.security.KeyMechanism}.
 */
package io.github.bloomgate.http.security;
