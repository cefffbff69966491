#!/usr/bin/env bash
# Starts the service once, uses it, ends it, and has Java keep what it loaded and compiled in an archive:
#   archive.sh <archive> <options of java>... -jar <jar>
# Needs a JDK of at least 25. The archive serves that very JDK and jar, with the same garbage collector.
set -euo pipefail

archive=$1
shift
port=18080
data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT

QUARKUS_HTTP_HOST=127.0.0.1 QUARKUS_HTTP_PORT=$port BLOOMGATE_EMBEDDED_DATA_DIR=$data/redis \
  java "-XX:AOTCacheOutput=$archive" "$@" &
service=$!

# Sends a request and prints the status of the answer; nothing while nobody listens.
request() {
  local method=$1 path=$2 body=${3-}
  (
    exec 3<>"/dev/tcp/127.0.0.1/$port"
    printf '%s %s HTTP/1.0\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s' \
      "$method" "$path" "${#body}" "$body" >&3
    read -r -t 10 _ status _ <&3 && printf '%s' "$status"
  ) 2>/dev/null || true
}

# An image may be built for another kind of processor, which is emulated then.
deadline=$((SECONDS + 600))
until [[ $(request GET /q/health/ready) == 200 ]]; do
  ((SECONDS < deadline)) && kill -0 "$service" || { echo 'The service does not start.' >&2; exit 1; }
  sleep 0.1
done

elements='{"elements":["a","b","c"]}'
[[ $(request PUT /v1/filters/archive '{"expectedInsertions":1000}') == 201 ]]
for ((i = 0; i < 200; i++)); do
  [[ $(request POST /v1/filters/archive/add "$elements") == 200 ]]
  [[ $(request POST /v1/filters/archive/test "$elements") == 200 ]]
done
[[ $(request GET /q/metrics) == 200 ]]

kill -TERM "$service"
# 143 is the status of a process that SIGTERM has ended.
wait "$service" || (($? == 143))
[[ -s $archive ]]
