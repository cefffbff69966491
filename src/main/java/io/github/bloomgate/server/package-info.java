/**
 * What starts and shows the service itself: the command line, readiness and metrics. It may use
 * every other room, and none may use it.
 */
package io.github.bloomgate.server;
