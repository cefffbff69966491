/**
 * Parameters of filters and other values that all packages use, with errors and sources in packages
 * within. Depends on {@code lines}, {@code hash} and on no framework. Start with {@link
 * io.github.bloomgate.model.FilterPlan}.
 */
package io.github.bloomgate.model;
