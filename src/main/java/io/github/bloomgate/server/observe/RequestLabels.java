package io.github.bloomgate.server.observe;

import io.github.bloomgate.http.connection.BodyLimit;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.quarkus.micrometer.runtime.HttpServerMetricsTagsContributor;
import jakarta.inject.Singleton;

/**
 * Labels that the framework's metric of requests lacks: whether the body is a stream, because the
 * time of a stream depends on the client, and the path of a 304, which the framework takes for a
 * redirection.
 */
@Singleton
final class RequestLabels implements HttpServerMetricsTagsContributor {

  static final String STREAM = "stream";

  @Override
  public Tags contribute(Context exchange) {
    var request = exchange.request();
    var labels = Tags.of(STREAM, Boolean.toString(BodyLimit.isStream(request)));
    return exchange.response().statusCode() == HttpResponseStatus.NOT_MODIFIED.code()
        ? labels.and(Tag.of("uri", request.path()))
        : labels;
  }
}
