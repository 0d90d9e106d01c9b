package dev.tidegate.bench.replay;

import java.util.Arrays;
import java.util.Optional;

/** An option of the command line. */
enum Flag {
  BASE("--base", "URL", "http://127.0.0.1:8080", "where the service listens"),
  SPEED("--speed", "N", "60", "how many times faster than the trace"),
  SUBJECTS(
      "--subjects", "N", "20", "how many subjects; the n-th makes 1/n as many calls as the first"),
  CONCURRENCY("--concurrency", "N", "64", "how many calls run at the same time at most"),
  OUTPUT_CAP("--output-cap", "N", "1024", "tokens reserved for the answer of a call"),
  DIE("--die", "PERCENT", "1", "callers that die before they settle"),
  LATE("--late", "PERCENT", "1", "callers that settle after their lease lapsed"),
  KEY("--key", "KEY", "demo-meter", "reserves, settles and reads"),
  ADMIN_KEY("--admin-key", "KEY", "demo-admin", "registers the subjects"),
  PLAN("--plan", "NAME", "replay", "the plan of the subjects"),
  RESOURCE("--resource", "NAME", "llm", "the resource that is metered"),
  SEED("--seed", "N", "1", "chooses each row's subject and who dies or is late"),
  LIMIT_ROWS("--limit-rows", "N", "1000000", "how many rows to play at most");

  private final String text;
  private final String placeholder;
  private final String standard;
  private final String meaning;

  Flag(String text, String placeholder, String standard, String meaning) {
    this.text = text;
    this.placeholder = placeholder;
    this.standard = standard;
    this.meaning = meaning;
  }

  /** How it is written, with its dashes. */
  String text() {
    return text;
  }

  /** The value it has when it is not given. */
  String standard() {
    return standard;
  }

  /** The line about it in the help. */
  String help() {
    return "  %-22s %s (%s)".formatted(text + " " + placeholder, meaning, standard);
  }

  /** The option written like that. */
  static Optional<Flag> of(String text) {
    return Arrays.stream(values()).filter(flag -> flag.text.equals(text)).findFirst();
  }
}
