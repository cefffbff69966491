/**
 * The port of health and metrics, where they have one of their own. Start with {@link
 * io.github.bloomgate.http.management.ManagementPort}.
 */
package io.github.bloomgate.http.management;
