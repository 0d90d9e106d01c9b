package dev.tidegate.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidegate.config.TidegateSettings;
import dev.tidegate.dev.LogLines;
import dev.tidegate.dev.SchedulerOff;
import dev.tidegate.store.ConfigurationStore;
import io.quarkus.redis.datasource.RedisDataSource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Inject;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What processes that start one after another make of one plans file. */
@QuarkusTest
@TestProfile(SchedulerOff.class)
class PlansFileAtStartTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir Path folder;

  @Inject ConfigurationStore store;
  @Inject CurrentPlans known;
  @Inject RedisDataSource redis;
  @Inject TidegateSettings settings;

  @BeforeEach
  @AfterEach
  void forgetPlans() {
    redis.key().del(settings.redis().keyPrefix() + ":1:plans");
  }

  private void write(long revision, long limit) throws IOException {
    Files.writeString(
        folder.resolve("plans.yaml"),
        "revision: %d\ndefault_plan: pro\nplans:\n".formatted(revision)
            + "  pro: {resources: {api: {meters: [tokens], limits: [{name: all, kind: period,"
            + " meter: tokens, limit: %d, schedule: {type: fixed, seconds: 60}}]}}}%n"
                .formatted(limit));
  }

  /** A process that reads the file as it is now, and takes over what is newer. */
  private PlansImport started() {
    PlansImport started = new PlansImport(store, known, settingsWithFile());
    started.readFile();
    takeOver(started);
    return started;
  }

  private TidegateSettings settingsWithFile() {
    return new SmallRyeConfigBuilder()
        .withMapping(TidegateSettings.class)
        .withDefaultValue("tidegate.plans.file", folder.resolve("plans.yaml").toString())
        .build()
        .getConfigMapping(TidegateSettings.class);
  }

  private static void takeOver(PlansImport process) {
    process.importIfNewer().await().atMost(PATIENCE);
  }

  private long limitInForce() {
    String document =
        store.plans().await().atMost(PATIENCE).byName().values().iterator().next().document();
    return Long.parseLong(document.replaceFirst(".*\"limit\":(\\d+).*", "$1"));
  }

  @Test
  @DisplayName("A file that was changed without a greater revision is refused at start, aloud")
  void sameRevision() throws IOException {
    write(5, 100);
    assertFalse(started().isFileRefused());
    assertFalse(started().isFileRefused());
    write(5, 200);
    try (LogLines log = new LogLines(PlansImport.class)) {
      PlansImport second = started();
      takeOver(second);
      assertTrue(second.isFileRefused());
      assertEquals(1, log.lines().size(), log.lines()::toString);
      assertTrue(log.lines().getFirst().contains("give the file a greater revision"));
      assertEquals(100, limitInForce());
      write(6, 200);
      second.refresh();
      takeOver(second);
      assertFalse(second.isFileRefused());
    }
    assertEquals(200, limitInForce());
  }

  @Test
  @DisplayName("A store that has lost what it had is warned of, once, and gets the file again")
  void lost() throws IOException {
    write(5, 100);
    PlansImport process = started();
    long before = known.losses();
    try (LogLines log = new LogLines(CurrentPlans.class)) {
      forgetPlans();
      takeOver(process);
      takeOver(process);
      List<String> told =
          log.lines().stream()
              .filter(line -> line.contains("lost what it had (revision 5"))
              .toList();
      assertEquals(1, told.size(), log.lines()::toString);
    }
    assertTrue(known.losses() > before, "it is not counted");
    assertEquals(100, limitInForce());
  }

  @Test
  @DisplayName("An answer that comes late, with the revision before, is no loss")
  void late() throws IOException {
    write(5, 100);
    started();
    CompletableFuture<Long> answer = new CompletableFuture<>();
    Queue<Uni<Long>> answers = new ArrayDeque<>();
    ConfigurationStore slow =
        (ConfigurationStore)
            Proxy.newProxyInstance(
                ConfigurationStore.class.getClassLoader(),
                new Class<?>[] {ConfigurationStore.class},
                (self, method, arguments) ->
                    method.getName().equals("importedRevision") && !answers.isEmpty()
                        ? answers.remove()
                        : method.invoke(store, arguments));
    write(6, 200);
    PlansImport process = new PlansImport(slow, known, settingsWithFile());
    process.readFile();
    long before = known.losses();
    answers.add(Uni.createFrom().completionStage(answer));
    CompletableFuture<Void> late = process.importIfNewer().subscribeAsCompletionStage();
    takeOver(process);
    answer.complete(5L);
    late.join();
    assertEquals(before, known.losses());
    assertEquals(200, limitInForce());
  }
}
