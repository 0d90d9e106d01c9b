package dev.tidegate.security;

import static dev.tidegate.dev.TestCredentials.sha256;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The keys of {@code k8s/secrets.example.yaml}: of no use as they are, good once filled in. */
class ExampleKeysTest {

  private static String example() throws IOException {
    try (var documents =
        new YAMLMapper()
            .readerFor(JsonNode.class)
            .<JsonNode>readValues(Path.of("k8s", "secrets.example.yaml").toFile())) {
      return documents.readAll().stream()
          .map(secret -> secret.at("/stringData/keys.yaml"))
          .filter(JsonNode::isTextual)
          .findFirst()
          .orElseThrow()
          .asText();
    }
  }

  @Test
  void theExampleIsRefusedAsItIs() throws IOException {
    byte[] keys = example().getBytes(StandardCharsets.UTF_8);
    var fault = assertThrows(IllegalArgumentException.class, () -> KeysFile.read(keys));
    assertTrue(fault.toString().contains("$.keys[0].sha256 must have 64"), fault::toString);
  }

  @Test
  void theExampleIsTakenOnceItIsFilledIn() throws IOException {
    String keys = example();
    for (int n = 0; keys.contains("<SHA-256 of its key>"); n++) {
      keys = keys.replaceFirst("<SHA-256 of its key>", sha256("key-" + n));
    }
    assertEquals(
        Set.of("gateway", "dashboard", "support", "admin"),
        KeysFile.read(keys.getBytes(StandardCharsets.UTF_8)).keySet());
  }
}
