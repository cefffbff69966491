#!/usr/bin/env bash
# Fills a filter again with the lines that a command prints, and keeps the old content if anything fails:
#   refresh.sh <filter> <fewest lines> <command> [arguments]
set -euo pipefail

rebuild=${BLOOMGATE_URL:-http://localhost:8080}/v1/filters/$1/rebuild
fewest=$2
shift 2

call() {
  # By a file, because everybody on the machine sees the arguments of a command.
  curl -sS --fail-with-body "$@" \
    --config <(printf "${BLOOMGATE_KEY:+header = \"Authorization: Bearer %s\"}" "${BLOOMGATE_KEY:-}")
}

id=$(call -X POST "$rebuild" -H 'content-type: application/json' -d '{}' |
  sed -nE 's/.*"id" *: *"([^"]+)".*/\1/p')
trap 'call -o /dev/null -X DELETE "$rebuild?id=$id" || true' EXIT
for ((second = 0; second < 60; second++)); do
  state=$(call "$rebuild" | sed -nE 's/.*"state" *: *"([^"]+)".*/\1/p')
  [[ $state != open ]] || break
  sleep 1
done

# Only now, as an add from before the opening must be in what the command reads.
"$@" | call -X POST -T - "$rebuild/add?id=$id" -H 'content-type: text/plain'
call -X POST "$rebuild/commit?id=$id" -H 'content-type: application/json' -d "{\"minElements\": $fewest}"
trap - EXIT
