/**
 * The strict reading of documents: plans, subjects, schedules and the bodies of requests. Whatever
 * is not exactly as described is a fault that names its place, and every fault is listed.
 */
@NullMarked
package dev.tidegate.document;

import org.jspecify.annotations.NullMarked;
