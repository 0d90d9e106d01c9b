package dev.tidegate.bench.rates;

/** One charge of a trace. */
record Call(long atMillis, long tokens) {}
