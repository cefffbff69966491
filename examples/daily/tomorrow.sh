#!/usr/bin/env bash
# Creates tomorrow's filter, with an expiry. Does nothing if the filter exists.
#
#   tomorrow.sh PREFIX CAPACITY DAYS [DATE]
#
# The filter is PREFIX-DATE, and DATE is tomorrow in UTC unless given. It expires after DAYS days.
# BLOOMGATE_URL is the service (default http://localhost:8080), and BLOOMGATE_KEY its key, if it needs one.
set -euo pipefail
: "${3:?usage: tomorrow.sh PREFIX CAPACITY DAYS [DATE]}"
prefix=$1 capacity=$2 days=$3
date=${4:-$(date -u -d tomorrow +%F 2> /dev/null || date -u -v+1d +%F)}
# The key goes through a file, because other users of the machine can see the arguments of a command.
response=$(curl -sS --fail-with-body -X PUT "${BLOOMGATE_URL:-http://localhost:8080}/v1/filters/$prefix-$date" \
  --config <(printf "${BLOOMGATE_KEY:+header = \"Authorization: Bearer %s\"}" "${BLOOMGATE_KEY:-}") \
  -H 'content-type: application/json' \
  -d "{\"expectedInsertions\": $capacity, \"ttlSeconds\": $((days * 86400))}") || {
  status=$?
  # The problem document says why.
  printf '%s\n' "$response" >&2
  exit "$status"
}
