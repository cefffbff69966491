/**
 * Response bodies: JSON, lines and text. Start with {@link
 * io.github.bloomgate.http.response.FilterView}.
 */
package io.github.bloomgate.http.response;
