package dev.tidegate.store;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/** What every metering store does; each test gets an empty store and a clock set by hand. */
abstract class MeteringStoreContract {

  /** An empty store. */
  abstract StoreUnderTest newStore();

  @Nested
  @DisplayName("Admission")
  class Admission extends AdmissionContract {
    @Override
    StoreUnderTest newStore() {
      return MeteringStoreContract.this.newStore();
    }
  }

  @Nested
  @DisplayName("Settlement")
  class Settlement extends SettlementContract {
    @Override
    StoreUnderTest newStore() {
      return MeteringStoreContract.this.newStore();
    }
  }

  @Nested
  @DisplayName("Periods")
  class Periods extends PeriodContract {
    @Override
    StoreUnderTest newStore() {
      return MeteringStoreContract.this.newStore();
    }
  }

  @Nested
  @DisplayName("Token buckets")
  class Buckets extends BucketContract {
    @Override
    StoreUnderTest newStore() {
      return MeteringStoreContract.this.newStore();
    }
  }

  @Nested
  @DisplayName("Sliding budgets")
  class Sliding extends SlidingContract {
    @Override
    StoreUnderTest newStore() {
      return MeteringStoreContract.this.newStore();
    }
  }

  @Nested
  @DisplayName("Limits of all kinds")
  class Mixed extends MixedContract {
    @Override
    StoreUnderTest newStore() {
      return MeteringStoreContract.this.newStore();
    }
  }

  @Nested
  @DisplayName("Keys")
  class Keys extends KeyContract {
    @Override
    StoreUnderTest newStore() {
      return MeteringStoreContract.this.newStore();
    }
  }

  @Nested
  @DisplayName("Insight")
  class Insights extends InsightContract {
    @Override
    StoreUnderTest newStore() {
      return MeteringStoreContract.this.newStore();
    }
  }

  @Nested
  @DisplayName("Denials")
  class Denials extends DenialContract {
    @Override
    StoreUnderTest newStore() {
      return MeteringStoreContract.this.newStore();
    }
  }

  @Nested
  @DisplayName("Top-ups")
  class TopUps extends TopUpContract {
    @Override
    StoreUnderTest newStore() {
      return MeteringStoreContract.this.newStore();
    }
  }

  @Nested
  @DisplayName("Resets")
  class Resets extends ResetContract {
    @Override
    StoreUnderTest newStore() {
      return MeteringStoreContract.this.newStore();
    }
  }

  @Nested
  @DisplayName("Keys and trails of grants")
  class GrantKeys extends GrantKeyContract {
    @Override
    StoreUnderTest newStore() {
      return MeteringStoreContract.this.newStore();
    }
  }
}
