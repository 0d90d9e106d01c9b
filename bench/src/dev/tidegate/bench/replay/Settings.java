package dev.tidegate.bench.replay;

import java.nio.file.Path;

/**
 * What a replay is asked to do.
 *
 * @param file the trace
 * @param base the service's address, without a slash at its end
 * @param speed how many times faster than the trace
 * @param subjects how many subjects share the rows
 * @param concurrency how many calls run at the same time at most
 * @param outputCap tokens reserved for the answer of a call
 * @param diePercent callers that die before they settle, from 0 to 100
 * @param latePercent callers that settle after their lease lapsed, from 0 to 100
 * @param key the API key that meters and reads
 * @param adminKey the API key that registers subjects
 * @param plan the subjects' plan
 * @param resource the resource that is metered
 * @param seed chooses each row's subject and fate
 * @param maxRows how many rows to play at most
 */
record Settings(
    Path file,
    String base,
    double speed,
    int subjects,
    int concurrency,
    long outputCap,
    double diePercent,
    double latePercent,
    String key,
    String adminKey,
    String plan,
    String resource,
    long seed,
    int maxRows) {}
