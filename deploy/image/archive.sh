#!/usr/bin/env bash
# Runs the service once and lets Java save the loaded classes in an archive:
#   archive.sh <archive> <Java options>... -jar <jar>
# Needs JDK 25 or later. The archive only works with the same JDK, jar and garbage collector, and with the
# options that bin/bloomgate adds.
set -euo pipefail

archive=$1
shift
port=18080
data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT

# Without the profiles of this short trial: code that Java compiles by them takes a tenth more CPU time, and
# the service starts as fast without them.
profiles=(-XX:+UnlockDiagnosticVMOptions -XX:-AOTRecordTraining)

QUARKUS_HTTP_HOST=127.0.0.1 QUARKUS_HTTP_PORT=$port BLOOMGATE_EMBEDDED_DATA_DIR=$data/redis \
  java "-XX:AOTCacheOutput=$archive" "${profiles[@]}" -XX:+UseCompactObjectHeaders "$@" &
service=$!

# Sends a request and prints the status of the response, or nothing if there is no server yet.
request() {
  local method=$1 path=$2 body=${3-}
  (
    exec 3<>"/dev/tcp/127.0.0.1/$port"
    printf '%s %s HTTP/1.0\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s' \
      "$method" "$path" "${#body}" "$body" >&3
    read -r -t 10 _ status _ <&3 && printf '%s' "$status"
  ) 2>/dev/null || true
}

# Building for another processor runs in emulation, which is slow.
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
# 143 is the exit status after SIGTERM.
wait "$service" || (($? == 143))
[[ -s $archive ]]
