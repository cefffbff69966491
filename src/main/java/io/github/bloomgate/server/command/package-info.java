/**
 * The command line of the packaged service: runs the service, or prints something and ends. Start
 * with {@link io.github.bloomgate.server.command.Bloomgate}.
 */
package io.github.bloomgate.server.command;
