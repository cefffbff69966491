/**
 * What the packaged service does when it is started from a command line: run, or print something
 * and end. Start with {@link io.github.bloomgate.server.command.Bloomgate}.
 */
package io.github.bloomgate.server.command;
