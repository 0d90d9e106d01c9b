package dev.tidegate.security;

import static dev.tidegate.dev.TestCredentials.sha256;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.config.TidegateSettings.ApiKey;
import dev.tidegate.dev.LogLines;
import dev.tidegate.document.WatchedFile;
import io.quarkus.security.identity.SecurityIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApiKeysTest {

  private static final List<String> DEMO =
      List.of("demo-meter", "demo-viewer", "demo-operator", "demo-admin");

  private record Key(String sha256, Set<String> roles, Optional<String> subject)
      implements ApiKey {}

  private static Key key(String secret, @Nullable String subject, String... roles) {
    return new Key(sha256(secret), Set.of(roles), Optional.ofNullable(subject));
  }

  private static ApiKeys configured(Map<String, ? extends ApiKey> keys, boolean prod) {
    return new ApiKeys(keys, null, prod);
  }

  private static String message(Throwable thrown) {
    return String.valueOf(thrown.getMessage());
  }

  @Test
  void aKeyIsFoundByItsDigestAndHasItsRolesAlone() {
    ApiKeys keys = configured(Map.of("gateway", key("s3cret", null, "meter")), true);

    SecurityIdentity identity = Objects.requireNonNull(keys.identityOf("s3cret"));

    assertEquals(Set.of("meter"), identity.getRoles());
    assertEquals("gateway", identity.getPrincipal().getName());
    assertNull(keys.identityOf("s3cret "));
    assertNull(keys.identityOf(sha256("s3cret")));
  }

  @Test
  void anAdminHasTheOtherRolesToo() {
    ApiKeys keys = configured(Map.of("root", key("s3cret", null, "admin")), true);

    SecurityIdentity identity = Objects.requireNonNull(keys.identityOf("s3cret"));

    assertEquals(Set.of("meter", "viewer", "operator", "admin"), identity.getRoles());
  }

  @Test
  void theProdProfileRefusesTheDemoKeys() {
    for (String demo : DEMO) {
      Map<String, ApiKey> keys = Map.of("mine", key(demo, null, "meter"));
      assertThrows(IllegalArgumentException.class, () -> configured(keys, true), demo);
      assertNotNull(configured(keys, false).identityOf(demo));
    }
  }

  private static void assertRefused(String setting, ApiKey key) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> configured(Map.of("mine", key), false));
    String told = message(refused);
    assertTrue(told.startsWith("tidegate.api-keys.mine." + setting + " "), told);
  }

  @Test
  void aSettingAtFaultIsNamed() {
    assertRefused("sha256", new Key("abc", Set.of("meter"), Optional.empty()));
    assertRefused("roles", key("s3cret", null));
    assertRefused("roles", key("s3cret", null, "root"));
    assertRefused("subject", key("s3cret", "", "viewer"));
    assertRefused("subject", key("s3cret", "me", "viewer"));
  }

  @Test
  void oneSecretIsNotTwoKeys() {
    Map<String, ApiKey> twice =
        Map.of("one", key("s3cret", null, "meter"), "two", key("s3cret", null, "admin"));

    assertThrows(IllegalArgumentException.class, () -> configured(twice, false));
  }

  // The keys file.

  @TempDir Path folder = Path.of("");

  private Path file() {
    return folder.resolve("keys.yaml");
  }

  private void write(String content) throws IOException {
    Files.writeString(file(), content);
  }

  private static String entry(String name, String secret, String roles) {
    return "  %s: {sha256: %s, roles: [%s]}%n".formatted(name, sha256(secret), roles);
  }

  private ApiKeys ofFile(String entries) throws IOException {
    write("keys:\n" + entries);
    return new ApiKeys(Map.of("root", key("root", null, "admin")), file(), true);
  }

  private static String nameOf(ApiKeys keys, String secret) {
    SecurityIdentity identity = keys.identityOf(secret);
    return identity == null ? "nobody" : identity.getPrincipal().getName();
  }

  @Test
  void keysOfTheFileJoinThoseOfTheSettings() throws IOException {
    ApiKeys keys =
        ofFile("  app: {sha256: %s, roles: [viewer], subject: u-1}".formatted(sha256("a")));

    assertEquals("root", nameOf(keys, "root"));
    SecurityIdentity app = Objects.requireNonNull(keys.identityOf("a"));
    assertEquals(Set.of("viewer"), app.getRoles());
    assertEquals("u-1", app.getAttribute(Caller.SUBJECT));
  }

  @Test
  void aChangedFileReplacesItsKeysWithoutARestart() throws IOException {
    ApiKeys keys = ofFile(entry("old", "a", "meter") + entry("stays", "c", "meter"));

    write("keys:\n" + entry("new", "b", "meter") + entry("stays", "c", "meter"));
    assertEquals("old", nameOf(keys, "a"));
    keys.refresh();

    assertEquals("nobody", nameOf(keys, "a"));
    assertEquals("new", nameOf(keys, "b"));
    assertEquals("stays", nameOf(keys, "c"));
    assertEquals("root", nameOf(keys, "root"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "keys:",
        "keys: {new: {sha256: B, roles: [meter]}}",
        "keys: {new: {sha256: #, roles: [meter]}, bad: {sha256: abc, roles: [meter]}}",
        "keys: {new: {sha256: #, roles: []}}",
        "keys: {new: {sha256: #}}",
        "keys: {new: {sha256: #, roles: [root]}}",
        "keys: {new: {sha256: #, roles: [viewer], subject: me}}",
        "keys: {new: {sha256: #, roles: [viewer], subjects: a}}",
        "keys: {new: {sha256: #, roles: [meter]}, again: {sha256: #, roles: [admin]}}",
        "keys: {new: {sha256: #, roles: [meter]}",
        "- a"
      })
  void aChangedFileAtFaultIsRefusedWholeAndTheLogSaysWhyOnce(String content) throws IOException {
    ApiKeys keys = ofFile(entry("old", "a", "meter"));
    try (LogLines log = new LogLines(WatchedFile.class)) {
      write(content.replace("#", sha256("b")));
      keys.refresh();
      keys.refresh();

      assertEquals("old", nameOf(keys, "a"));
      assertEquals("nobody", nameOf(keys, "b"));
      assertEquals(1, log.lines().size(), () -> "" + log.lines());
      assertTrue(log.lines().getFirst().contains(file().toString()), () -> "" + log.lines());

      write("keys:\n" + entry("new", "b", "meter"));
      keys.refresh();
      assertEquals("new", nameOf(keys, "b"));
    }
  }

  @Test
  void theFaultOfAChangedFileIsNamedByItsPath() throws IOException {
    ApiKeys keys = ofFile(entry("old", "a", "meter"));
    try (LogLines log = new LogLines(WatchedFile.class)) {
      write("keys:\n" + entry("new", "b", "metre"));
      keys.refresh();
      assertTrue(log.lines().getFirst().contains("$.keys[0].roles[0]"), () -> "" + log.lines());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PlainKey-4711",
        "- PlainKey-4711",
        "keys: PlainKey-4711",
        "keys: [PlainKey-4711]",
        "keys: {gateway: PlainKey-4711}",
        "keys: {gateway: [PlainKey-4711]}",
        "keys: {PlainKey-4711: {roles: [meter]}}",
        "keys: {PlainKey-4711: meter}",
        "keys: {PlainKey-4711: {sha256: #, roles: [PlainKey-4711]}}",
        "keys: {PlainKey-4711: {sha256: '%PlainKey-4711', roles: [meter]}}",
        "keys: {PlainKey-4711: {sha256: #, roles: [meter]}, again: {sha256: #, roles: [meter]}}",
        "keys: {again: {sha256: #, roles: [meter]}, PlainKey-4711: {sha256: #, roles: [meter]}}",
        "keys: {gateway: {PlainKey-4711: x, sha256: #, roles: [meter]}}",
        "keys: {gateway: {sha256: PlainKey-4711, roles: [meter]}}",
        "keys: {gateway: {sha256: #, roles: [meter], subject: [PlainKey-4711]}}",
        "PlainKey-4711: {roles: [meter]}",
        "PlainKey-4711: 1\nkeys: {}",
        "keys: {PlainKey-4711: a, PlainKey-4711: b}",
        "keys: {PlainKey-4711: !tag b}",
        "keys: {gateway: !PlainKey-4711! b}",
        "keys: {gateway: *PlainKey-4711}",
        "keys: {gateway: &PlainKey-4711 {}}",
        "keys: {gateway: @PlainKey-4711}",
        "keys: {gateway: 'PlainKey-4711}",
        "keys: PlainKey-4711: b",
        "{\"keys\": PlainKey-4711"
      })
  void aKeyInPlainTextIsNotToldWhereverItStands(String content) throws IOException {
    String wrong =
        content.replace("#", sha256("b")).replace("%", "x".repeat(64 - "PlainKey-4711".length()));
    write(wrong);
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> new ApiKeys(Map.of(), file(), true));
    assertFalse(message(refused).contains("PlainKey"), message(refused));
    assertTrue(message(refused).contains(file() + ": $"), message(refused));
    ApiKeys keys = ofFile(entry("old", "a", "meter"));
    assertFalse(keys.isFileRefused());
    try (LogLines log = new LogLines(WatchedFile.class)) {
      write(wrong);
      keys.refresh();
      assertEquals(1, log.lines().size(), () -> "" + log.lines());
      assertFalse(log.lines().getFirst().contains("PlainKey"), () -> "" + log.lines());
    }
    assertTrue(keys.isFileRefused());
  }

  @Test
  void aNumberAndASpellingAtFaultAreNotQuotedButHelpedWith() throws IOException {
    write("keys: {gateway: {sha265: 0123, roles: [meter]}}");
    String told =
        message(
            assertThrows(
                IllegalArgumentException.class, () -> new ApiKeys(Map.of(), file(), true)));
    assertTrue(told.endsWith("$ at line 1, column 26 must be a plain decimal number"), told);
    write("keys: {gateway: {sha265: 123, roles: [meter]}}");
    told =
        message(
            assertThrows(
                IllegalArgumentException.class, () -> new ApiKeys(Map.of(), file(), true)));
    assertTrue(told.contains("$.keys[0].sha256 is missing"), told);
    assertTrue(told.contains("$.keys[0] has an unknown field; did you mean `sha256`?"), told);
  }

  @Test
  void aKeyOfTheSettingsIsNotTakenByTheFile() throws IOException {
    ApiKeys keys = ofFile(entry("old", "a", "meter"));

    write("keys:\n" + entry("thief", "root", "meter"));
    keys.refresh();

    assertEquals("root", nameOf(keys, "root"));
    assertEquals("old", nameOf(keys, "a"));
  }

  @Test
  void theProdProfileRefusesDemoKeysInTheFileToo() throws IOException {
    for (String demo : DEMO) {
      assertThrows(
          IllegalArgumentException.class, () -> ofFile(entry("mine", demo, "meter")), demo);
      ApiKeys keys = ofFile(entry("old", "a", "meter"));
      write("keys:\n" + entry("new", "b", "meter") + entry("mine", demo, "meter"));
      keys.refresh();
      assertEquals("nobody", nameOf(keys, demo));
      assertEquals("nobody", nameOf(keys, "b"));
      assertEquals("old", nameOf(keys, "a"));
    }
  }

  @Test
  void aFileThatIsAwayForAWhileTakesNoKeyAway() throws IOException {
    ApiKeys keys = ofFile(entry("old", "a", "meter"));
    try (LogLines log = new LogLines(WatchedFile.class)) {
      Files.delete(file());
      keys.refresh();
      keys.refresh();
      assertEquals("old", nameOf(keys, "a"));
      assertEquals(1, log.lines().size(), () -> "" + log.lines());
    }
    write("keys:\n" + entry("new", "b", "meter"));
    keys.refresh();
    assertEquals("new", nameOf(keys, "b"));
  }

  @Test
  void aServiceDoesNotStartOnAFileAtFault() {
    IllegalArgumentException missing =
        assertThrows(IllegalArgumentException.class, () -> new ApiKeys(Map.of(), file(), false));
    assertTrue(message(missing).contains(file().toString()), message(missing));
    IllegalArgumentException fault =
        assertThrows(IllegalArgumentException.class, () -> ofFile("  a: {roles: [meter]}"));
    assertTrue(message(fault).contains("$.keys[0].sha256"), message(fault));
  }
}
