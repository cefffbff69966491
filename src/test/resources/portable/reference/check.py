"""Tests elements against a file: python3 check.py FILE COUNT, with 'element 0' and on in it."""

import sys

sys.path.append("../../hash/reference")
from filter_file import read_filter
from might_contain import might_contain

header, bitmaps = read_filter(sys.argv[1])
count = int(sys.argv[2])
k = header["numHashFunctions"]
for i in range(count):
    assert might_contain(bitmaps, k, f"element {i}".encode()), i
others = sum(might_contain(bitmaps, k, f"other {i}".encode()) for i in range(count))
assert others < count / 10 + 1, others
print(f"{count} elements found")
