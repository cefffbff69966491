/**
 * API keys: what they look like, which are known, what they allow; and which clients are answered
 * while there are none. It knows HTTP as far as credentials are carried by it, and no filter. Start
 * with {@link io.github.bloomgate.http.security.ApiKeys} and {@link
 * io.github.bloomgate.http.security.KeyMechanism}.
 */
package io.github.bloomgate.http.security;
