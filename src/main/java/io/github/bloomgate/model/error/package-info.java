/**
 * What can go wrong and how it is said: every error has a stable code and one home for its text.
 */
package io.github.bloomgate.model.error;
