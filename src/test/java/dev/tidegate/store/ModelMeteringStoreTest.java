package dev.tidegate.store;

import dev.tidegate.store.model.ModelUnderTest;

/** The model keeps the contract. */
class ModelMeteringStoreTest extends MeteringStoreContract {

  @Override
  StoreUnderTest newStore() {
    return new ModelUnderTest();
  }
}
