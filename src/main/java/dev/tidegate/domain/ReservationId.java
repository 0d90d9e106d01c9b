package dev.tidegate.domain;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Names one reservation and the root whose slot it lies in, so that it is settled where it was
 * taken.
 *
 * @param token 16 characters of base64url, 96 random bits
 * @param root the root of the subject when it was taken
 */
public record ReservationId(String token, SubjectId root) {

  private static final int TOKEN_LENGTH = 16;
  private static final Pattern TEXT = Pattern.compile("[A-Za-z0-9_-]{16}\\.[A-Za-z0-9_-]{2,342}");

  /** The text that callers see: token, {@code .} and the root in base64url. */
  public String text() {
    byte[] bytes = root.value().getBytes(StandardCharsets.UTF_8);
    return token + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** The id with that text, or empty when no reservation can have it. */
  public static Optional<ReservationId> parse(String text) {
    if (!TEXT.matcher(text).matches()) {
      return Optional.empty();
    }
    try {
      byte[] root = Base64.getUrlDecoder().decode(text.substring(TOKEN_LENGTH + 1));
      String id = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(root)).toString();
      ReservationId parsed = new ReservationId(text.substring(0, TOKEN_LENGTH), new SubjectId(id));
      return parsed.text().equals(text) ? Optional.of(parsed) : Optional.empty();
    } catch (IllegalArgumentException | CharacterCodingException notOurs) {
      return Optional.empty();
    }
  }
}
