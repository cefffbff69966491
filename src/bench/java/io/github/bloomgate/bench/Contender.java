package io.github.bloomgate.bench;

import java.util.function.Supplier;

/** A contender in a comparison, and how to measure it once. */
record Contender(String name, Supplier<Sample> measurement) {}
