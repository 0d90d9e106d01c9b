package dev.tidegate.security;

import dev.tidegate.config.TidegateSettings;
import dev.tidegate.config.TidegateSettings.ApiKey;
import dev.tidegate.document.WatchedFile;
import dev.tidegate.security.KeyTable.Source;
import io.quarkus.runtime.Startup;
import io.quarkus.runtime.configuration.ConfigUtils;
import io.quarkus.security.identity.SecurityIdentity;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.util.Map;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The static API keys: those of the settings, and those of a file that is read again while the
 * service runs. Of a key only its SHA-256 is known.
 */
@Startup
@Singleton
public class ApiKeys {

  private static final Logger LOG = Logger.getLogger(ApiKeys.class);

  private final Map<String, ? extends ApiKey> configured;
  private final boolean prod;
  private final @Nullable WatchedFile file;
  private volatile KeyTable table;

  @Inject
  ApiKeys(TidegateSettings settings) {
    this(
        settings.apiKeys(),
        settings.apiKeysFile().map(Path::of).orElse(null),
        ConfigUtils.isProfileActive("prod"));
  }

  /**
   * The keys as they are configured, by name.
   *
   * @param file more keys; null = none
   * @param prod whether the prod profile is active, which refuses the well-known demo keys
   * @throws IllegalArgumentException if a key is at fault; the message names the setting
   */
  ApiKeys(Map<String, ? extends ApiKey> configured, @Nullable Path file, boolean prod) {
    this.configured = configured;
    this.prod = prod;
    this.file = file == null ? null : new WatchedFile("the keys file", file, KeysFile.MAX_BYTES);
    this.table = this.file == null ? table(Map.of()) : this.file.readFirst(this::tableWith);
    if (table.isEmpty()) {
      LOG.warn("no API keys are configured");
    }
  }

  private KeyTable tableWith(byte[] content) {
    return table(KeysFile.read(content));
  }

  private KeyTable table(Map<String, ? extends ApiKey> ofFile) {
    KeyTable made = new KeyTable().add(Source.SETTINGS, configured).add(Source.FILE, ofFile);
    if (prod && made.hasDemoKey()) {
      throw new IllegalArgumentException("the prod profile refuses the demo keys");
    }
    return made;
  }

  /**
   * Reads the file again and takes over its keys if it changed. A file that is at fault is refused
   * whole: the log says why, once, and the keys stay as they are.
   */
  void refresh() {
    if (file == null) {
      return;
    }
    KeyTable changed = file.readChanged(this::tableWith);
    if (changed != null) {
      table = changed;
      LOG.infof("the API keys are now those of the changed file: %d", changed.size());
    }
  }

  /** Whether the file, as it is now, is refused. */
  boolean isFileRefused() {
    return file != null && file.isRefused();
  }

  /** Whose key this is, or null when it is nobody's. */
  @Nullable SecurityIdentity identityOf(String key) {
    return table.identityOf(key);
  }
}
