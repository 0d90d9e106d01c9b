package dev.tidegate.http;

import io.restassured.filter.Filter;
import io.restassured.filter.FilterContext;
import io.restassured.response.Response;
import io.restassured.specification.FilterableRequestSpecification;
import io.restassured.specification.FilterableResponseSpecification;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Holds every answer against the published contract. */
final class ContractFilter implements Filter {

  @Override
  public Response filter(
      FilterableRequestSpecification request,
      FilterableResponseSpecification expected,
      FilterContext context) {
    Response response = context.next(request, expected);
    Contract.PUBLISHED.check(
        new Contract.Exchange(
            request.getMethod(),
            URI.create(request.getURI()).getRawPath(),
            text(request.getBody()),
            response.statusCode(),
            name -> response.header(name),
            response.asString()));
    return response;
  }

  private static String text(@Nullable Object body) {
    return body instanceof byte[] bytes
        ? new String(bytes, StandardCharsets.UTF_8)
        : body == null ? "" : body.toString();
  }
}
