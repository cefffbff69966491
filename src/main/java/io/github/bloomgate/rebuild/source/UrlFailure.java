package io.github.bloomgate.rebuild.source;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/**
 * Why a source's server did not respond. The texts are ours, because those of the JDK may contain
 * addresses.
 */
enum UrlFailure {
  TIMEOUT(
      "The source's server did not respond within bloomgate.sources.connect-timeout or bloomgate.sources.idle-timeout. Check the server, or raise these limits.",
      HttpTimeoutException.class),
  UNKNOWN_HOST(
      "The host name of the source's server cannot be resolved. Check the url, and the name server of this instance.",
      UnknownHostException.class,
      UnresolvedAddressException.class),
  REFUSED(
      "The source's server does not accept connections. Check the url, the server, and firewalls.",
      ConnectException.class),
  EXPIRED(
      "The certificate of the source's server has expired. Renew it, and check the clock of this instance.",
      CertificateExpiredException.class),
  NOT_YET_VALID(
      "The certificate of the source's server is not valid yet. Check its dates, and the clock of this instance.",
      CertificateNotYetValidException.class),
  UNTRUSTED(
      "The certificate of the source's server is not signed by a trusted CA. Add the certificate of its CA to quarkus.tls.sources.trust-store.pem.certs.",
      CertPathBuilderException.class),
  OTHER_HOST(
      "The certificate of the source's server is not for the host name in the url. Use a host name of the certificate, or correct the certificate.",
      CertificateException.class) {
    @Override
    boolean isOf(Throwable cause) {
      // The JDK has no type for it.
      var message = String.valueOf(cause.getMessage());
      return super.isOf(cause)
          && (message.startsWith("No subject alternative") || message.startsWith("No name match"));
    }
  },
  NO_TLS(
      "The source's server does not use TLS on the port of the url. Correct the port, or use an http url if the network can be trusted.",
      SSLException.class) {
    @Override
    boolean isOf(Throwable cause) {
      return super.isOf(cause) && String.valueOf(cause.getMessage()).contains("nrecognized");
    }
  },
  TLS(
      "The TLS handshake with the source's server failed. Check that it supports TLS 1.2 or 1.3. If it asks for a client certificate, set quarkus.tls.sources.key-store.pem.0.cert and quarkus.tls.sources.key-store.pem.0.key.",
      SSLException.class,
      CertificateException.class),
  BROKEN(
      "The connection to the source's server broke before it responded. Check the url and the server.",
      IOException.class);

  private final String detail;

  // List.of cannot be changed.
  @SuppressWarnings("ImmutableEnumChecker")
  private final List<Class<?>> types;

  UrlFailure(String detail, Class<?>... types) {
    this.detail = detail;
    this.types = List.of(types);
  }

  /** The most specific reason among the failure and its causes. */
  static UrlFailure of(IOException failure) {
    return Arrays.stream(values())
        .filter(
            reason ->
                Stream.<Throwable>iterate(failure, cause -> cause != null, Throwable::getCause)
                    .anyMatch(reason::isOf))
        .findFirst()
        .orElse(BROKEN);
  }

  boolean isOf(Throwable cause) {
    return types.stream().anyMatch(type -> type.isInstance(cause));
  }

  /** The reason and the remedy. */
  String detail() {
    return detail;
  }
}
