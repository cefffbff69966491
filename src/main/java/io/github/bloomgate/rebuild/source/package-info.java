/**
 * Reads sources: files below one folder, and URLs of an allow-list. Depends neither on filters nor
 * on Redis. Start with {@link io.github.bloomgate.rebuild.source.SourceReader}.
 */
package io.github.bloomgate.rebuild.source;
