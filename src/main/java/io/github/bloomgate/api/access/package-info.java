/**
 * Who is let in, at the places of HTTP where that is decided: which clients, which keys for which
 * operations and names. Start with {@link io.github.bloomgate.api.access.ClientFilter} and {@link
 * io.github.bloomgate.api.access.Caller}.
 */
package io.github.bloomgate.api.access;
