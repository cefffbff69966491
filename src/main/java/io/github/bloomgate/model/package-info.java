/**
 * Parameters of filters and other values that all rooms use, with errors, lines of text and sources
 * in rooms within. Depends on {@code hash} and on no framework. Start with {@link
 * io.github.bloomgate.model.FilterPlan}.
 */
package io.github.bloomgate.model;
