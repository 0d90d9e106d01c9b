package dev.tidegate.bench.faults;

import dev.tidegate.bench.replay.Load;
import java.io.IOException;

/** What can happen to a store, to the way to it and to the service. */
public enum Fault {

  /** Redis ends at once, and starts again with what is on its disk. */
  REDIS_KILLED("Redis is killed and started again") {
    @Override
    Damage happen(Stage stage, Load load) throws IOException, InterruptedException {
      stage.redis().kill();
      stage.awaitRefusals(load);
      stage.startRedis();
      return Damage.NONE;
    }
  },

  /** Redis stands still, with its connections open, and goes on. */
  REDIS_PAUSED("Redis stands still and goes on") {
    @Override
    Damage happen(Stage stage, Load load) throws IOException, InterruptedException {
      stage.pauseRedis();
      try {
        stage.awaitRefusals(load);
      } finally {
        stage.resumeRedis();
      }
      return Damage.NONE;
    }
  },

  /** Redis ends at once and has lost its disk. */
  REDIS_EMPTIED("Redis is killed and starts empty") {
    @Override
    Damage happen(Stage stage, Load load) throws IOException, InterruptedException {
      Load.Mark before = load.mark();
      stage.redis().kill();
      stage.awaitRefusals(load);
      stage.forgetRedisData();
      Load.Mark after = load.mark();
      stage.startRedis();
      return new Damage(before, after);
    }
  },

  /** Redis forgets every script, again and again. */
  SCRIPTS_FLUSHED("Redis forgets all scripts, ten times") {
    @Override
    Damage happen(Stage stage, Load load) throws IOException, InterruptedException {
      for (int n = 0; n < 10; n++) {
        stage.command("SCRIPT FLUSH");
        stage.awaitSettlements(load, 5);
      }
      return Damage.NONE;
    }
  },

  /** Every answer of Redis takes half a second. */
  REDIS_SLOW("every answer of Redis takes 500 ms") {
    @Override
    Damage happen(Stage stage, Load load) throws IOException, InterruptedException {
      stage.slowDown();
      try {
        stage.awaitRefusals(load);
      } finally {
        stage.speedUp();
      }
      return Damage.NONE;
    }
  },

  /** Connections break after the command was run, before its answer arrives. */
  ANSWERS_LOST("the connection breaks behind the command, twenty times") {
    @Override
    Damage happen(Stage stage, Load load) throws IOException, InterruptedException {
      for (int n = 0; n < 20; n++) {
        stage.cutOne();
      }
      return Damage.NONE;
    }
  },

  /** The service ends in the middle of its calls, and another one takes over. */
  SERVICE_KILLED("the service is killed amid its calls and started again") {
    @Override
    Damage happen(Stage stage, Load load) throws IOException, InterruptedException {
      stage.replaceService();
      return Damage.NONE;
    }
  };

  /**
   * What of the acknowledged may be lost.
   *
   * @param atLeast all that was acknowledged by then
   * @param atMost nothing that was acknowledged since then
   */
  record Damage(Load.Mark atLeast, Load.Mark atMost) {

    static final Damage NONE = new Damage(Load.Mark.none(), Load.Mark.none());
  }

  private final String text;

  Fault(String text) {
    this.text = text;
  }

  /** Lets it happen and ends it; says what may be lost by it. */
  abstract Damage happen(Stage stage, Load load) throws IOException, InterruptedException;

  @Override
  public String toString() {
    return text;
  }
}
