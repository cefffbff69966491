/**
 * Who is let in, at the places of HTTP where that is decided: which clients, which keys for which
 * operations and names. Start with {@link io.github.bloomgate.http.access.ClientCheck} and {@link
 * io.github.bloomgate.http.access.Caller}.
 */
package io.github.bloomgate.http.access;
