/** The secrets that the keys of keyed filters are derived from. */
package io.github.bloomgate.config.secret;
