/**
 * How sources are read: files below one folder, and URLs of an allow-list. Knows neither filters
 * nor Redis, which reads its own keys. Start with {@link
 * io.github.bloomgate.rebuild.source.SourceStreams}.
 */
package io.github.bloomgate.rebuild.source;
