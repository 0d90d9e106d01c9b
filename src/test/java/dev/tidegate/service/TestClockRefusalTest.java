package dev.tidegate.service;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class TestClockRefusalTest {

  @Test
  void theProdProfileRefusesAClockThatCanBeSet() {
    assertThrows(IllegalStateException.class, () -> TestClock.allowed(true, true));
    assertFalse(TestClock.allowed(false, true));
    assertTrue(TestClock.allowed(true, false));
    assertFalse(TestClock.allowed(false, false));
  }
}
