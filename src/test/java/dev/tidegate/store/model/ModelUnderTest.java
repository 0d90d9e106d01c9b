package dev.tidegate.store.model;

import dev.tidegate.domain.SubjectId;
import dev.tidegate.store.StoreUnderTest;

/** The model in the place of a store. */
public final class ModelUnderTest implements StoreUnderTest {

  private final ModelMeteringStore model = new ModelMeteringStore();
  private final ModelGrantStore grants = new ModelGrantStore(model);

  @Override
  public ModelMeteringStore store() {
    return model;
  }

  @Override
  public ModelGrantStore grants() {
    return grants;
  }

  @Override
  public void setClock(long nowMillis) {
    model.setClock(nowMillis);
  }

  @Override
  public void setRecordVersion(SubjectId root, SubjectId subject, long version) {
    model.setRecordVersion(subject, version);
  }
}
