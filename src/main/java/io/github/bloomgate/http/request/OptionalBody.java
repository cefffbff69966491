package io.github.bloomgate.http.request;

/** A request whose body is optional. */
interface OptionalBody {}
