package dev.tidegate.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a list of strings with parameters that are integers or strings, as RFC 9651 (section 4.2)
 * has it, and nothing else: no inner lists, tokens, decimals, booleans.
 */
final class StructuredList {

  /**
   * @param parameters integers and strings by key
   */
  record Item(String value, Map<String, Object> parameters) {

    long integer(String key) {
      return (Long) parameters.getOrDefault(key, Long.MIN_VALUE);
    }
  }

  private final String text;
  private int at;

  private StructuredList(String text) {
    this.text = text;
  }

  /**
   * @throws IllegalArgumentException if the text is no such list
   */
  static List<Item> parse(String text) {
    return new StructuredList(text).list();
  }

  private List<Item> list() {
    List<Item> items = new ArrayList<>();
    skipSpaces();
    while (at < text.length()) {
      items.add(new Item(string(), parameters()));
      skipBlanks();
      if (at == text.length()) {
        return items;
      }
      expect(',');
      skipBlanks();
      if (at == text.length()) {
        throw wrong("a comma at the end");
      }
    }
    return items;
  }

  private Map<String, Object> parameters() {
    Map<String, Object> parameters = new LinkedHashMap<>();
    while (at < text.length() && text.charAt(at) == ';') {
      at++;
      skipSpaces();
      String key = key();
      expect('=');
      Object value = at < text.length() && text.charAt(at) == '"' ? string() : integer();
      if (parameters.put(key, value) != null) {
        throw wrong("the parameter " + key + " twice");
      }
    }
    return parameters;
  }

  private String key() {
    int start = at;
    while (at < text.length() && isOfKey(text.charAt(at), at == start)) {
      at++;
    }
    if (at == start) {
      throw wrong("no key");
    }
    return text.substring(start, at);
  }

  private static boolean isOfKey(char c, boolean first) {
    boolean letter = c >= 'a' && c <= 'z';
    return letter || c == '*' || (!first && (isDigit(c) || "_-.".indexOf(c) >= 0));
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private Long integer() {
    int start = at;
    if (at < text.length() && text.charAt(at) == '-') {
      at++;
    }
    int digits = at;
    while (at < text.length() && isDigit(text.charAt(at))) {
      at++;
    }
    boolean decimal = at < text.length() && text.charAt(at) == '.';
    if (at == digits || at - digits > 15 || decimal) {
      throw wrong("no integer of at most 15 digits");
    }
    return Long.valueOf(text.substring(start, at));
  }

  private String string() {
    expect('"');
    StringBuilder value = new StringBuilder();
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '"') {
        return value.toString();
      }
      if (c == '\\') {
        char escaped = at < text.length() ? text.charAt(at++) : ' ';
        if (escaped != '"' && escaped != '\\') {
          throw wrong("an escape of something else");
        }
        value.append(escaped);
      } else if (c < 0x20 || c > 0x7E) {
        throw wrong("a character that is not printable ASCII");
      } else {
        value.append(c);
      }
    }
    throw wrong("a string without an end");
  }

  private void expect(char c) {
    if (at == text.length() || text.charAt(at) != c) {
      throw wrong("no '" + c + "'");
    }
    at++;
  }

  private void skipSpaces() {
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
  }

  private void skipBlanks() {
    while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
      at++;
    }
  }

  private IllegalArgumentException wrong(String what) {
    return new IllegalArgumentException(what + " at " + at + " of " + text);
  }
}
