/** Controls when and how much is read from a connection. Start with {@link BodyFlow}. */
package io.github.bloomgate.http.connection;
