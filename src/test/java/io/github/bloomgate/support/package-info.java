/** Shared by the tests of several packages. */
package io.github.bloomgate.support;
