package dev.tidegate.domain;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Spreads those who wait for the same reset over a window behind it, so that they do not all come
 * back in one instant.
 */
public final class ReturnSpread {

  private static final int HASH_BITS = Integer.SIZE;

  private ReturnSpread() {}

  /**
   * The place of a subject in the window, which depends on nothing else: {@code floor(hash * window
   * / 2^32)}, where the hash is the first four bytes of the SHA-256 of the id in UTF-8, as an
   * unsigned number, highest byte first.
   *
   * @param windowSeconds 0 to 86,400; 0 spreads nobody
   * @return milliseconds after the reset, from 0 to below the window
   */
  public static long offsetMillis(SubjectId subject, int windowSeconds) {
    return windowSeconds == 0 ? 0 : (hash(subject) * windowSeconds * 1000) >>> HASH_BITS;
  }

  private static long hash(SubjectId subject) {
    try {
      MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
      byte[] digest = sha256.digest(subject.value().getBytes(StandardCharsets.UTF_8));
      return Integer.toUnsignedLong(ByteBuffer.wrap(digest).getInt());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
