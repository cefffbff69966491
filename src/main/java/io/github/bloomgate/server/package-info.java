/** The command line, readiness and metrics. May use every other package; none may use it. */
package io.github.bloomgate.server;
