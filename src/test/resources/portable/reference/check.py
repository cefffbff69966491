"""Tests elements against a file: python3 check.py FILE COUNT, with 'element 0' and on in it."""

import sys

sys.path.append("../../hash/reference")
from filter_file import read_filter
from might_contain import might_contain

header, layers = read_filter(sys.argv[1])
count = int(sys.argv[2])


def test(text):
    return any(might_contain(bitmaps, k, text.encode()) for k, bitmaps in layers)


for i in range(count):
    assert test(f"element {i}"), i
others = sum(test(f"other {i}") for i in range(count))
assert others < count / 10 + 1, others
print(f"{count} elements found")
