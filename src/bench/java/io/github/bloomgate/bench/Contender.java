package io.github.bloomgate.bench;

import java.util.function.Supplier;

/** One of those that are compared in a work, and how it is measured once. */
record Contender(String name, Supplier<Sample> measurement) {}
