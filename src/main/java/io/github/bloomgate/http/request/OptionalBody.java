package io.github.bloomgate.http.request;

/** A request that may be without a body. */
interface OptionalBody {}
