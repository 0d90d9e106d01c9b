package dev.tidegate.dev;

import io.quarkus.test.junit.QuarkusTestProfile;

/** The service started anew: its meters have counted nothing of other tests. */
public final class OwnProcess implements QuarkusTestProfile {}
