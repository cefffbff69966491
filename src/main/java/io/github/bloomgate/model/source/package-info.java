/**
 * Sources of filters and their schedules: values. Start with {@link
 * io.github.bloomgate.model.source.Source}.
 */
package io.github.bloomgate.model.source;
