package dev.tidegate.document;

/**
 * One thing that is wrong with a document.
 *
 * @param path where, as a JSONPath such as {@code $.limits[2].schedule.at}; {@code $} is all of it
 * @param reason what is wrong there, as the rest of a sentence that begins with the path
 */
public record Fault(String path, String reason) {

  @Override
  public String toString() {
    return path + " " + reason;
  }
}
