/**
 * Errors as HTTP responses: every exception, including the framework's, becomes a problem document
 * of RFC 9457. Start with {@link io.github.bloomgate.http.problem.ProblemMapper}.
 */
package io.github.bloomgate.http.problem;
