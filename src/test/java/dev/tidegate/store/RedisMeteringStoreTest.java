package dev.tidegate.store;

import dev.tidegate.store.redis.RedisUnderTest;

/** The store in Redis keeps the contract. */
class RedisMeteringStoreTest extends MeteringStoreContract {

  @Override
  StoreUnderTest newStore() {
    return RedisUnderTest.open();
  }
}
