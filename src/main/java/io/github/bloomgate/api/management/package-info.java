/**
 * The port of health and metrics, where they have one of their own. Start with {@link
 * io.github.bloomgate.api.management.ManagementPort}.
 */
package io.github.bloomgate.api.management;
