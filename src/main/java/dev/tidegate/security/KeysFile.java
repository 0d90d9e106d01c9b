package dev.tidegate.security;

import dev.tidegate.config.TidegateSettings.ApiKey;
import dev.tidegate.document.Documents;
import dev.tidegate.document.Fault;
import dev.tidegate.document.Fields;
import dev.tidegate.document.Reading;
import dev.tidegate.document.Value;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file of API keys, YAML or JSON: <code>keys: {name: {sha256, roles: [...], subject}}
 * </code>. Who mistakes a digest or a name for the key itself finds it nowhere in the log: faults
 * quote nothing of the file.
 */
final class KeysFile {

  /** What {@value #MAX_KEYS} keys need. */
  static final int MAX_BYTES = 4 << 20;

  /** As many keys as services and teams may have; persons come with tokens. */
  private static final int MAX_KEYS = 10_000;

  private static final Map<String, String> ROLES =
      Roles.ALL.stream().collect(Collectors.toUnmodifiableMap(role -> role, Function.identity()));

  private KeysFile() {}

  private record Key(String sha256, Set<String> roles, Optional<String> subject)
      implements ApiKey {}

  /**
   * The keys of a file by name, in the order of the file.
   *
   * @throws IllegalArgumentException if the file is at fault; the message lists every fault
   */
  static Map<String, ? extends ApiKey> read(byte[] content) {
    Reading<Map<String, Key>> reading =
        Documents.parseSecretYaml(content, MAX_BYTES)
            .then(root -> Fields.readSecret(root, KeysFile::keys));
    return switch (reading) {
      case Reading.Valid<Map<String, Key>>(Map<String, Key> keys) -> keys;
      case Reading.Invalid<Map<String, Key>>(List<Fault> faults) ->
          throw new IllegalArgumentException(
              String.join("; ", faults.stream().map(Fault::toString).toList()));
    };
  }

  private static @Nullable Map<String, Key> keys(Fields fields) {
    Value keys = fields.required("keys");
    return keys == null ? null : keys.byId(MAX_KEYS, (name, key) -> key.object(KeysFile::key));
  }

  private static Key key(Fields fields) {
    String sha256 = fields.requiredText("sha256", 64, 64);
    fields.required("roles");
    List<String> roles = fields.list("roles", 1, ROLES.size(), role -> role.oneOf(ROLES));
    return new Key(
        sha256,
        roles == null ? Set.of() : new HashSet<>(roles),
        Optional.ofNullable(fields.id("subject")));
  }
}
