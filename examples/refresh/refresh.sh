#!/usr/bin/env bash
# Replaces the content of a filter with the lines that a command prints. If anything fails, the old content stays.
#   refresh.sh <filter> <minimum lines> <command> [arguments]
set -euo pipefail
: "${3:?usage: refresh.sh <filter> <minimum lines> <command> [arguments]}"

rebuild=${BLOOMGATE_URL:-http://localhost:8080}/v1/filters/$1/rebuild
fewest=$2
shift 2

# Prints the response. An error goes to standard error, with the problem document that explains it.
call() {
  local response status=0
  # The key goes through a file, because other users of the machine can see the arguments of a command.
  response=$(curl -sS --fail-with-body "$@" \
    --config <(printf "${BLOOMGATE_KEY:+header = \"Authorization: Bearer %s\"}" "${BLOOMGATE_KEY:-}")) || status=$?
  if ((status > 0)); then
    printf '%s\n' "$response" >&2
    return "$status"
  fi
  printf '%s\n' "$response"
}

opened=$(call -X POST "$rebuild" -H 'content-type: application/json' -d '{}')
id=$(sed -nE 's/.*"id" *: *"([^"]+)".*/\1/p' <<<"$opened")
trap 'call -X DELETE "$rebuild?id=$id" >&2 || true' EXIT

# The command runs after the rebuild was opened, because its lines must include every earlier add.
"$@" | call -X POST -T - "$rebuild/add?id=$id" -H 'content-type: text/plain'
call -X POST "$rebuild/commit?id=$id" -H 'content-type: application/json' -d "{\"minElements\": $fewest}"
trap - EXIT
