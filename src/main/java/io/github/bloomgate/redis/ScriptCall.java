package io.github.bloomgate.redis;

import java.util.List;

/**
 * A call of a script, which can be sent more than once.
 *
 * @param effect what the script does with these arguments
 * @param keys the script's keys, at least one, all in one cluster slot
 */
public record ScriptCall(Script script, Effect effect, List<String> keys, Arguments arguments) {}
