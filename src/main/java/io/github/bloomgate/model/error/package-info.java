/** All errors: their stable codes and their texts. */
package io.github.bloomgate.model.error;
