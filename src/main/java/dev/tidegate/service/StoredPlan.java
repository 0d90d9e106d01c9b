package dev.tidegate.service;

import dev.tidegate.domain.Plan;

/**
 * A plan as it is kept.
 *
 * @param version another number after every change of it; the ETag
 * @param document the JSON that it was written as
 */
public record StoredPlan(Plan plan, long version, boolean managedByFile, String document) {}
