"""Checks might_contain.py against the golden vectors: python3 check_vectors.py bloomgate-1.json"""

import json
import sys

from might_contain import locate, might_contain

with open(sys.argv[1], encoding="utf-8") as file:
    vectors = json.load(file)
checks = 0
for row in vectors["locations"]:
    element = bytes.fromhex(row["elementHex"])
    actual = locate(element, row["segments"], row["segmentBits"], row["numHashFunctions"])
    assert actual == (row["segment"], row["offsets"]), row
    checks += 1
for row in vectors["filters"]:
    bitmaps = [bytes.fromhex(bitmap) for bitmap in row["bitmapsHex"]]
    for other in row["elements"] + row["others"]:
        element = bytes.fromhex(other["elementHex"])
        actual = might_contain(bitmaps, row["numHashFunctions"], element)
        assert actual == other.get("mightContain", True), other
        checks += 1
print(f"{checks} checks passed")
