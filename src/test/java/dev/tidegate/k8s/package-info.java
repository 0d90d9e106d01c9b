/** The manifests in {@code k8s/}: read strictly, and held against what the service knows. */
@NullMarked
package dev.tidegate.k8s;

import org.jspecify.annotations.NullMarked;
