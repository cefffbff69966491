/**
 * The separate port for health and metrics. Start with {@link
 * io.github.bloomgate.http.management.ManagementPort}.
 */
package io.github.bloomgate.http.management;
