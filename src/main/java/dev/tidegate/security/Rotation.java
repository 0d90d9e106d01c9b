package dev.tidegate.security;

import jakarta.enterprise.context.ApplicationScoped;

/** Takes over keys that were changed while the service runs. */
@ApplicationScoped
public class Rotation {

  private final ApiKeys keys;
  private final Tokens tokens;

  Rotation(ApiKeys keys, Tokens tokens) {
    this.keys = keys;
    this.tokens = tokens;
  }

  /** Reads the files of API keys and of issuers' keys again; it blocks on the disk. */
  public void refresh() {
    keys.refresh();
    tokens.refresh();
  }

  /** Whether the file of API keys, as it is now, is refused, so that an earlier version counts. */
  public boolean isApiKeysFileRefused() {
    return keys.isFileRefused();
  }

  /** Whether the file of issuers' keys is. */
  public boolean isKeySetRefused() {
    return tokens.isFileRefused();
  }
}
