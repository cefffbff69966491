/**
 * What a filter is rebuilt from, and when: values. Start with {@link
 * io.github.bloomgate.model.source.Source}.
 */
package io.github.bloomgate.model.source;
