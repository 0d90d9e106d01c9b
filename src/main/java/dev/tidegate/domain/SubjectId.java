package dev.tidegate.domain;

/**
 * Who is limited: the id of a user, a team or an API key.
 *
 * @param value an id as {@link Identifiers#faultOfId} allows, compared as sent
 */
public record SubjectId(String value) {

  public SubjectId {
    String fault = Identifiers.faultOfId(value);
    if (fault != null) {
      throw new IllegalArgumentException("the id of a subject " + fault);
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
