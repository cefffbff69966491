/**
 * The operations of {@code openapi.yaml}, and the check of a request against them. Start with
 * {@link io.github.bloomgate.http.contract.Contract}.
 */
package io.github.bloomgate.http.contract;
