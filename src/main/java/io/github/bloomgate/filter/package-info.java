/**
 * What a filter is: the values that the services, the store and the API speak in. Depends on {@code
 * hash} for shapes and schemes and on {@code error}, on nothing else. Start with {@link
 * io.github.bloomgate.filter.Filter}.
 */
package io.github.bloomgate.filter;
