/** Classes that the tests of several packages share. */
package io.github.bloomgate.support;
