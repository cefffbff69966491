FROM maven:3.9.16-eclipse-temurin-25 AS build
WORKDIR /build

# Dependencies first, in their own layer, because they change less often than the code.
COPY .mvn/ .mvn/
COPY pom.xml ./
RUN mvn -B -ntp quarkus:go-offline

COPY openapi.yaml ./
COPY docs/configuration.md docs/
COPY src/ src/
# No tests: run mvn verify before you build an image. In a package of this type, Java's own class loader
# loads the classes, so the archive below contains nearly all of them.
RUN mvn -B -ntp package -Dmaven.test.skip=true -Dquarkus.package.jar.type=aot-jar \
    -Dassembly.skipAssembly
# Netty would unpack its native library into the temporary folder at each start.
RUN mkdir native \
    && cd native \
    && for jar in ../target/quarkus-app/lib/main/io.netty.netty-transport-native-epoll-*.jar; do jar -xf "$jar" META-INF/native; done


# The embedded Redis for x86-64 needs glibc 2.34 or later and OpenSSL 3, so Alpine and Debian 11 do not work.
FROM eclipse-temurin:25.0.4.1_1-jre-noble

LABEL org.opencontainers.image.title="Bloomgate" \
      org.opencontainers.image.description="Named Bloom filters over HTTP, stored in Redis" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.base.name="eclipse-temurin:25.0.4.1_1-jre-noble" \
      org.opencontainers.image.licenses="Apache-2.0"

# A base image without OpenSSL 3 should fail here, not at the first start.
RUN ldconfig -p | grep -q 'libssl\.so\.3' \
    && mkdir /data \
    && chown 10001:10001 /data \
    && chmod 700 /data

# The files that change least often come first.
COPY --from=build /build/target/quarkus-app/lib/ /app/lib/
COPY --from=build /build/target/quarkus-app/quarkus-run.jar /build/target/quarkus-app/bloomgate.vmoptions /app/
COPY --from=build /build/target/quarkus-app/bin/ /app/bin/
COPY --from=build /build/target/quarkus-app/quarkus/ /app/quarkus/
COPY --from=build /build/target/quarkus-app/app/ /app/app/

# In Java's default library path, so that it is used with a read-only file system, too.
COPY --from=build /build/native/META-INF/native/ /usr/java/packages/lib/

# docs/operations.md explains the memory limits. Add more Java options with JAVA_OPTS.
ENV MALLOC_ARENA_MAX=1 \
    BLOOMGATE_EMBEDDED_DATA_DIR=/data

# The image keeps the classes that a trial run loaded, which halves the startup time.
# Created here because it only works with this Java and these files.
COPY deploy/image/archive.sh /tmp/
RUN bash /tmp/archive.sh /app/bloomgate.aot @/app/bloomgate.vmoptions -jar /app/quarkus-run.jar && rm /tmp/archive.sh

# Numeric, so that an orchestrator can check that it is not root.
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8080

# Reads the same settings as the service, except from JAVA_OPTS. Starts a JVM, so once a minute; while the
# service starts, Docker 25 and later check every five seconds.
HEALTHCHECK --interval=1m --timeout=10s --start-period=20s --retries=3 \
  CMD ["/app/bin/bloomgate", "health"]

# Without BLOOMGATE_SECURITY_KEYS or a keys file, only clients inside the container are served:
# docker run --rm <image> new-key --role admin creates a key.
ENTRYPOINT ["/app/bin/bloomgate"]
