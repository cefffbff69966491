"""Tests the elements 'element 0' and so on of a file: python3 check_file.py FILE COUNT.

In a counting filter, element i was added 1 + i modulo 16 times. In a window filter, the rings have
the number of their elements.
"""

import sys

from filter_file import read_filter
from might_contain import count as times, might_contain

plan, layers = read_filter(sys.argv[1])
count = int(sys.argv[2])


def counted(text):
    return times(layers[0][1], layers[0][0], text.encode())


def test(text):
    if plan["counting"]:
        return counted(text) > 0
    return any(might_contain(bitmaps, k, text.encode()) for k, bitmaps in layers)


for i in range(count):
    assert test(f"element {i}"), i
if plan["counting"]:
    added = [min(15, 1 + i % 16) for i in range(count)]
    found = [counted(f"element {i}") for i in range(count)]
    assert all(a <= b for a, b in zip(added, found)), found
    assert sum(a == b for a, b in zip(added, found)) > count * 0.9, found
if "window" in plan:
    elements = sum(ring[2] for rings in plan["rings"] for ring in rings)
    assert count * 0.95 <= elements <= count, elements
others = sum(test(f"other {i}") for i in range(count))
assert others < count / 10 + 1, others
print(f"{count} elements found")
