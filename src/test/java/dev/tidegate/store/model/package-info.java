/** A model of the metering store in memory, written from what the product promises. */
@NullMarked
package dev.tidegate.store.model;

import org.jspecify.annotations.NullMarked;
