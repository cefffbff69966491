/**
 * Errors as HTTP answers: every exception, the framework's included, becomes a problem document of
 * RFC 9457. Start with {@link io.github.bloomgate.http.problem.ProblemMapper}.
 */
package io.github.bloomgate.http.problem;
