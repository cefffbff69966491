/**
 * The door: every check that a request passes before its resource. Start with {@link
 * io.github.bloomgate.http.door.Door}.
 */
package io.github.bloomgate.http.door;
