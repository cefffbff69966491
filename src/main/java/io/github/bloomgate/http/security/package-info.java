/**
 * API keys: their format, storage and permissions; and which addresses are local. Depends on HTTP
 * for credentials, but not on filters. Start with {@link
 * io.github.bloomgate.http.security.ApiKeys}.
 */
package io.github.bloomgate.http.security;
