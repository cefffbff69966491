/**
 * What goes out: the bodies of answers as JSON, or as lines and texts where a client asks for them.
 * Start with {@link io.github.bloomgate.http.answer.FilterView}.
 */
package io.github.bloomgate.http.answer;
