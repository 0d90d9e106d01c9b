package dev.tidegate.config;

import io.smallrye.config.ConfigSourceInterceptor;
import io.smallrye.config.ConfigSourceInterceptorContext;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.common.utils.StringUtil;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Refuses addresses of Redis that are none before anybody else reads them: the platform and the
 * client quote what they cannot read, and an address may have a password.
 */
public final class RedisAddresses implements ConfigSourceInterceptor {

  private static final long serialVersionUID = 1;

  private static final String OPTION = "quarkus.redis.hosts";

  private static final int MAX_PORT = 65_535;

  /** The number of a database, or nothing. */
  private static final Pattern DATABASE = Pattern.compile("(/[0-9]{0,9})?");

  @Override
  public @Nullable ConfigValue getValue(ConfigSourceInterceptorContext context, String name) {
    ConfigValue value = context.proceed(name);
    boolean isOurs = name.equals(OPTION) || name.startsWith(OPTION + "[");
    if (isOurs && value != null && value.getValue() != null) {
      check(name, value.getValue());
    }
    return value;
  }

  private static void check(String name, String addresses) {
    String[] each = StringUtil.split(addresses);
    for (int i = 0; i < each.length; i++) {
      String fault = faultOf(each[i].strip());
      if (fault != null) {
        throw new IllegalArgumentException(
            "%s: address %d of %d %s. Addresses are like redis://user:password@host:6379, with %%XX"
                    .formatted(name, i + 1, each.length, fault)
                + " for special characters and commas between them; it is not shown here, as it may"
                + " have a password");
      }
    }
  }

  /** Why this is no address, without any part of it; null when it is one. */
  private static @Nullable String faultOf(String address) {
    URI uri;
    try {
      uri = new URI(address);
    } catch (URISyntaxException none) {
      return "cannot be read at character %d (%s)".formatted(none.getIndex() + 1, none.getReason());
    }
    return switch (Objects.requireNonNullElse(uri.getScheme(), "")) {
      case "redis", "rediss" -> faultOf(uri);
      case "unix" -> null;
      default -> "does not begin with redis:// or rediss://";
    };
  }

  /** What stands after an unescaped {@code /}, {@code ?} or {@code #} of a password is no host. */
  private static @Nullable String faultOf(URI uri) {
    if (uri.getHost() == null) {
      return "names no host";
    }
    if (uri.getPort() > MAX_PORT) {
      return "has a port above " + MAX_PORT;
    }
    boolean isWhole =
        DATABASE.matcher(uri.getRawPath()).matches()
            && uri.getRawFragment() == null
            && !Objects.requireNonNullElse(uri.getRawQuery(), "").contains("@");
    return isWhole ? null : "has something after its host that is no number of a database";
  }
}
