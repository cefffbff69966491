/** The secrets from which the keys of keyed filters are derived. */
package io.github.bloomgate.config.secret;
