/** The order in which the router runs filters and routes. */
package io.github.bloomgate.http.order;
