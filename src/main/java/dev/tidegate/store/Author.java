package dev.tidegate.store;

/**
 * Who changes what is configured.
 *
 * @param name of the caller's key or token, or the path of the file
 * @param role the most powerful of the caller's roles, or {@code file}
 */
public record Author(String name, String role) {

  /** A file of plans that is imported. */
  public static Author ofFile(String path) {
    return new Author(path, "file");
  }
}
