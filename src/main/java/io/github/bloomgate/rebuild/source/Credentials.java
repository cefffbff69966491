package io.github.bloomgate.rebuild.source;

import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Instant;

/** What a server needs to know to let the service read its URLs. Never printed. */
sealed interface Credentials permits HeaderCredentials, S3Credentials {

  /** A GET request with the credentials. */
  HttpRequest.Builder request(URI url, Instant now);

  /** Whether a server responds with this status to credentials that it does not accept. */
  boolean isRefusal(int status);

  /** What to do after a refusal, as sentences. */
  String remedy();
}
