package io.github.bloomgate.files.portable;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.FilterParameters;
import java.time.Instant;

/**
 * What a file says of the filter in it.
 *
 * @param name the name it had; a hint only, a file may be imported under any name
 * @param parameters what it was created with
 * @param generation the number of its generation; a hint only
 * @param exportedAt when the export began, to the millisecond
 */
public record FileHeader(
    FilterName name, FilterParameters parameters, long generation, Instant exportedAt) {}
