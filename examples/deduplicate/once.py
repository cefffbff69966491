"""Prints each input line that no program has printed before: once.py <filter>.

A line is added to the filter before it is printed, so no line is printed twice, and a line is lost if the program is
interrupted in between. If it is unknown whether lines were added, they go to standard error, and the program exits
with 75.
"""

import http.client
import json
import os
import sys

BATCH = 100

name = sys.argv[1]
host = os.environ.get("BLOOMGATE_HOST", "localhost:8080")
headers = {"Content-Type": "application/json"}
if os.environ.get("BLOOMGATE_KEY"):
    headers["Authorization"] = "Bearer " + os.environ["BLOOMGATE_KEY"]


def new_ones(elements):
    """Adds the elements and returns the new ones. Does not retry, because a retry would report them as known."""
    connection = http.client.HTTPConnection(host, timeout=10)
    connection.request("POST", f"/v1/filters/{name}/add", json.dumps({"elements": elements}), headers)
    answer = connection.getresponse()
    content = json.loads(answer.read())
    connection.close()
    if answer.status != 200:
        raise ValueError(f"{answer.status} {content['code']}: {content['detail']}")
    return [element for element, added in zip(elements, content["added"]) if added]


def batches(lines):
    batch = []
    for line in lines:
        batch.append(line.removesuffix("\n").removesuffix("\r"))
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


sys.stdin.reconfigure(newline="\n")  # a carriage return in an element does not end it
for batch in batches(sys.stdin):
    try:
        new = new_ones(batch)
    except (OSError, http.client.HTTPException, ValueError, LookupError) as error:
        print(f"It is unknown whether these were added; none was printed: {error!r}", *batch, sep="\n", file=sys.stderr)
        sys.exit(75)
    for element in new:
        print(element, flush=True)
