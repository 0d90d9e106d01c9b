package dev.tidegate.architecture;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.groups.MultiSubscribe;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** No thread of the service ever waits: a call that is not done yet is a {@link Uni}. */
class BlockingTest {

  /**
   * Calls that wait.
   *
   * @param owner whose methods, with those of its subtypes
   * @param methods a pattern of names
   */
  private record Waiting(Class<?> owner, String methods) {}

  private static final Stream<Waiting> WAITING =
      Stream.of(
          new Waiting(Uni.class, "await|awaitUsing"),
          new Waiting(Multi.class, "toIterable"),
          new Waiting(MultiSubscribe.class, "asIterable|asStream"),
          new Waiting(io.vertx.core.Future.class, "await|join"),
          new Waiting(Thread.class, "sleep|join"),
          new Waiting(Object.class, "wait"),
          new Waiting(Process.class, "waitFor"),
          new Waiting(Future.class, "get|resultNow"),
          new Waiting(CompletableFuture.class, "join"),
          new Waiting(BlockingQueue.class, "put|take|poll"),
          new Waiting(CountDownLatch.class, "await"),
          new Waiting(CyclicBarrier.class, "await"),
          new Waiting(Semaphore.class, "acquire.*"),
          new Waiting(Condition.class, "await.*"),
          new Waiting(LockSupport.class, "park.*"),
          new Waiting(ExecutorService.class, "invokeAll|invokeAny|awaitTermination|close"));

  @TestFactory
  Stream<DynamicTest> nothingWaits() {
    return WAITING.map(
        waiting ->
            DynamicTest.dynamicTest(
                waiting.owner().getSimpleName() + " " + waiting.methods(),
                () ->
                    noClasses()
                        .should()
                        .callMethodWhere(
                            target(nameMatching(waiting.methods()))
                                .and(target(owner(assignableTo(waiting.owner())))))
                        .check(MainClasses.ALL)));
  }

  @Test
  void thereIsSomethingToLookAt() {
    assertTrue(MainClasses.ALL.size() > 150, () -> MainClasses.ALL.size() + " classes");
  }
}
