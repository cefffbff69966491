package io.github.bloomgate.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A self-signed certificate for the loopback address, created with the JDK's keytool.
 *
 * @param certificate a PEM file
 * @param key a PEM file
 */
public record SelfSigned(KeyStore keys, Path certificate, Path key) {

  private static final String PASSWORD = "of-a-test";
  private static final String ALIAS = "loopback";
  private static final String OPTIONS =
      "-keyalg RSA -keysize 2048 -validity 2 -storetype PKCS12 -dname CN=localhost"
          + " -ext SAN=ip:127.0.0.1,dns:localhost -ext BasicConstraints:critical=ca:true";
  private static final Base64.Encoder PEM = Base64.getMimeEncoder(64, new byte[] {'\n'});

  /** Trusts only this certificate. */
  public SSLContext trusted() throws IOException, GeneralSecurityException {
    var store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (var in = Files.newInputStream(certificate)) {
      store.setCertificateEntry(
          "one", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    var context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  /** For a server that presents this certificate. */
  public SSLContext own() throws GeneralSecurityException {
    var own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, PASSWORD.toCharArray());
    var context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), null, null);
    return context;
  }

  /** Creates a certificate in a folder. */
  public static SelfSigned in(Path folder) {
    try {
      var store = folder.resolve("key.p12");
      var command = new ArrayList<>(List.of(Interpreter.jdk("keytool"), "-genkeypair"));
      command.addAll(List.of(OPTIONS.split(" ")));
      command.addAll(List.of("-alias", ALIAS, "-storepass", PASSWORD));
      command.addAll(List.of("-keystore", store.toString()));
      var made = new ProcessBuilder(command).inheritIO().start();
      if (made.waitFor() != 0) {
        throw new IllegalStateException("keytool failed");
      }
      var keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
      Certificate certificate = keys.getCertificate(ALIAS);
      var key = (PrivateKey) keys.getKey(ALIAS, PASSWORD.toCharArray());
      return new SelfSigned(
          keys,
          write(folder.resolve("cert.pem"), "CERTIFICATE", certificate.getEncoded()),
          write(folder.resolve("key.pem"), "PRIVATE KEY", key.getEncoded()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException | GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Path write(Path file, String what, byte[] bytes) throws IOException {
    return Files.writeString(
        file,
        "-----BEGIN %s-----\n%s\n-----END %s-----\n"
            .formatted(what, PEM.encodeToString(bytes), what));
  }
}
