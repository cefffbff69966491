package io.github.bloomgate.http.request;

import io.github.bloomgate.model.FilterName;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;

/** The new name of a filter. */
public record RenameRequest(
    @NotNull @Pattern(regexp = FilterName.PATTERN) String to, boolean replace) {}
