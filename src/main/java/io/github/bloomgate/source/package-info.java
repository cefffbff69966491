/**
 * What a filter may be rebuilt from, when, and how it is read: files below one folder, URLs of an
 * allow-list, and cron expressions. Knows neither filters nor Redis, which reads its own keys.
 * Start with {@link io.github.bloomgate.source.Source} and {@link
 * io.github.bloomgate.source.SourceStreams}.
 */
package io.github.bloomgate.source;
