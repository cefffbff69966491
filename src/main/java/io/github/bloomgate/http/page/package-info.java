/**
 * Pages for browsers: the console and Swagger UI. Start with {@link
 * io.github.bloomgate.http.page.Pages}.
 */
package io.github.bloomgate.http.page;
