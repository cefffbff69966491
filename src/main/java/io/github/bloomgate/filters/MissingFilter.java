package io.github.bloomgate.filters;

import io.github.bloomgate.model.FilterName;
import io.github.bloomgate.model.Quota;
import java.time.Duration;
import java.util.Optional;

/**
 * How to create a filter that an add finds missing.
 *
 * @param like the filter whose parameters it gets
 * @param lifetime the time from its creation to its expiry; empty to expire when idle if {@code
 *     like} does, else never
 * @param quota of the caller's key, which will own the filter
 * @param needsTemplate whether {@code like} must be a template, because the key only adds
 */
public record MissingFilter(
    FilterName like, Optional<Duration> lifetime, Quota quota, boolean needsTemplate) {}
