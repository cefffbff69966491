/**
 * Controls when and how much is read from a connection, and the memory of bodies. Start with {@link
 * BodyFlow} and {@link SlowClients}.
 */
package io.github.bloomgate.http.connection;
