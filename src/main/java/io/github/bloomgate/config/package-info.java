/** The settings of the service, with their defaults and units. */
package io.github.bloomgate.config;
