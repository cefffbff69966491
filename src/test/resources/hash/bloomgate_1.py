"""Reference implementation of the hash scheme bloomgate-1 and source of its golden vectors.

Written for clarity from docs/hash-schemes.md, in plain Python 3 with only the standard library. It
shares no code with the Java implementation. Words are Python integers, reduced to 64 bits where the
definition says so. Sizing is computed with 60 decimal digits.

Regenerate the vectors from the root of the repository:

    python3 src/test/resources/hash/bloomgate_1.py > src/test/resources/hash/bloomgate-1.json

The scheme is frozen: a regenerated file may gain rows, but no existing row may change.
"""

import hashlib
import json
import sys
from decimal import ROUND_CEILING, ROUND_HALF_UP, Decimal, getcontext

getcontext().prec = 60

WORD = 1 << 64
MAX_SEGMENT_BITS = 1 << 24


# --- MurmurHash3 x64 128 ---------------------------------------------------------------------


def rotl(x, r):
    return (x << r | x >> (64 - r)) % WORD


def fmix64(h):
    h ^= h >> 33
    h = h * 0xFF51AFD7ED558CCD % WORD
    h ^= h >> 33
    h = h * 0xC4CEB9FE1A85EC53 % WORD
    h ^= h >> 33
    return h


def murmur3_x64_128(data, seed=0):
    c1, c2 = 0x87C37B91114253D5, 0x4CF5AD432745937F
    h1 = h2 = seed
    full = len(data) // 16 * 16
    for i in range(0, full, 16):
        k1 = int.from_bytes(data[i : i + 8], "little")
        k2 = int.from_bytes(data[i + 8 : i + 16], "little")
        k1 = rotl(k1 * c1 % WORD, 31) * c2 % WORD
        h1 ^= k1
        h1 = (rotl(h1, 27) + h2) % WORD
        h1 = (h1 * 5 + 0x52DCE729) % WORD
        k2 = rotl(k2 * c2 % WORD, 33) * c1 % WORD
        h2 ^= k2
        h2 = (rotl(h2, 31) + h1) % WORD
        h2 = (h2 * 5 + 0x38495AB5) % WORD
    tail = data[full:]
    if len(tail) > 8:
        k2 = int.from_bytes(tail[8:], "little")
        h2 ^= rotl(k2 * c2 % WORD, 33) * c1 % WORD
    if len(tail) > 0:
        k1 = int.from_bytes(tail[:8], "little")
        h1 ^= rotl(k1 * c1 % WORD, 31) * c2 % WORD
    h1 ^= len(data)
    h2 ^= len(data)
    h1 = (h1 + h2) % WORD
    h2 = (h2 + h1) % WORD
    h1 = fmix64(h1)
    h2 = fmix64(h2)
    h1 = (h1 + h2) % WORD
    h2 = (h2 + h1) % WORD
    return h1, h2


def check_murmur3():
    """Compares with published values. If one differs, nothing is generated."""
    assert murmur3_x64_128(b"") == (0, 0)
    # The verification value of SMHasher's test suite, which hashes 256 keys of all lengths from 0
    # to 255, each with a different seed, and then the digests.
    digests = b"".join(
        digest_bytes(murmur3_x64_128(bytes(range(i)), 256 - i)) for i in range(256)
    )
    assert digest_bytes(murmur3_x64_128(digests))[:4] == (0x6384BA69).to_bytes(4, "little")
    # From the tests of Guava's Hashing.murmur3_128().
    fox = murmur3_x64_128(b"The quick brown fox jumps over the lazy dog")
    assert digest_bytes(fox).hex() == "6c1b07bc7bbc4be347939ac4a93c437a"


def digest_bytes(words):
    return b"".join(word.to_bytes(8, "little") for word in words)


# --- The scheme ------------------------------------------------------------------------------


def mix64(z):
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB % WORD
    return z ^ z >> 31


def locate(element, segments, segment_bits, k):
    h1, h2 = murmur3_x64_128(element)

    def g(i):
        return mix64((h1 + i * h2) % WORD)

    segment = g(0) * segments >> 64
    return segment, [g(i) * segment_bits >> 64 for i in range(1, k + 1)]


def ceiling(x):
    return int(x.to_integral_value(ROUND_CEILING))


def shape_of(bit_size):
    segments = -(-bit_size // MAX_SEGMENT_BITS)
    segment_bits = -(-bit_size // segments)
    return segments, -(-segment_bits // 64) * 64


def shape_for(n, p):
    ln2 = Decimal(2).ln()
    bits = ceiling(-n * Decimal(p).ln() / (ln2 * ln2))
    k = max(1, int((Decimal(bits) / n * ln2).to_integral_value(ROUND_HALF_UP)))
    segments, segment_bits = shape_of(bits + k // 4 + 1 if n < 64 else bits)
    return bits, k, segments, segment_bits


class Filter:
    """A filter in memory; each segment is what GET of its key returns."""

    def __init__(self, segments, segment_bits, k):
        self.shape = (segments, segment_bits, k)
        self.bitmaps = [bytearray((segment_bits + 7) // 8) for _ in range(segments)]

    def add(self, element):
        segment, offsets = locate(element, *self.shape)
        for x in offsets:
            self.bitmaps[segment][x // 8] |= 0x80 >> x % 8

    def might_contain(self, element):
        segment, offsets = locate(element, *self.shape)
        return all(self.bitmaps[segment][x // 8] & 0x80 >> x % 8 for x in offsets)


# --- The vectors -----------------------------------------------------------------------------


def noise(length, label):
    """Bytes that look random and are the same everywhere."""
    blocks = (hashlib.sha256(f"{label}/{i}".encode()).digest() for i in range(length // 32 + 1))
    return b"".join(blocks)[:length]


TEXTS = [
    "a",
    "abc",
    "foo@example.com",
    "https://example.com/path?query=1&other=2#fragment",
    "The quick brown fox jumps over the lazy dog",
    "Grüße aus Köln",
    "布隆过滤器",
    "фильтр Блума",
    "🌸🚪",
    "e\u0301 is not \u00e9",
    "line\nbreak\tand\u0000zero",
    "f47ac10b-58cc-4372-a567-0e02b2c3d479",
]


def elements():
    rows = [noise(length, "length") for length in range(41)]
    rows += [noise(length, "long") for length in (47, 48, 63, 64, 65, 100, 127, 128, 255, 256, 1000)]
    # One byte value only: signs of bytes and padding of the tail.
    rows += [bytes([value]) * length for value in (0x00, 0x7F, 0x80, 0xFF) for length in (1, 7, 8, 9, 15, 16, 17, 32)]
    return rows + [text.encode() for text in TEXTS]


def described(element):
    row = {"elementHex": element.hex()}
    try:
        text = element.decode()
    except UnicodeDecodeError:
        return row
    if text in TEXTS:
        row["elementText"] = text
    return row


def location_rows():
    shapes = [
        (1, 64, 1),
        (1, 64, 64),
        (1, 192, 13),
        (1, 960, 7),
        (1, 9600, 7),
        (1, 9585088, 7),
        (1, MAX_SEGMENT_BITS, 20),
        (2, 9585088, 7),
        (6, 15975104, 7),
        (573, 16728064, 7),
        (2147483647, MAX_SEGMENT_BITS, 3),
        # Not native shapes. They test the arithmetic at its limits.
        (1, 1, 2),
        (3, 1000003, 5),
        (1, (1 << 32) - 5, 4),
        (7, (1 << 62) + 1, 4),
    ]
    every = elements()
    rows = []
    for shape in shapes[:1] + shapes[5:6] + shapes[9:10]:
        rows += [(element, shape) for element in every]
    for shape in shapes:
        rows += [(element, shape) for element in every[:4] + every[-4:]]
    for k in range(1, 65):
        rows.append((noise(16, f"k={k}"), (5, 1 << 20, k)))
    seen = []
    for row in rows:
        if row not in seen:
            seen.append(row)
    for element, (segments, segment_bits, k) in seen:
        segment, offsets = locate(element, segments, segment_bits, k)
        yield {
            **described(element),
            "segments": segments,
            "segmentBits": segment_bits,
            "numHashFunctions": k,
            "segment": segment,
            "offsets": offsets,
        }


def sizing_rows():
    counts = [1, 2, 3, 7, 10, 11, 12, 13, 16, 20, 31, 32, 33, 50, 100, 1000, 10**4, 10**5]
    counts += [10**6, 1750350, 1750351, 10**7, 123456789, 10**8, 10**9]
    rates = [0.9, 0.5, 0.3, 0.1, 0.05, 0.03, 0.01, 1e-3, 1e-4, 1e-5, 1e-6, 1e-9, 1e-15]
    for n in counts:
        for p in rates:
            bits, k, segments, segment_bits = shape_for(n, p)
            yield {
                "n": n,
                "p": p,
                "bits": bits,
                "numHashFunctions": k,
                "segments": segments,
                "segmentBits": segment_bits,
                "bitSize": segments * segment_bits,
            }


def rounding_rows():
    edge = MAX_SEGMENT_BITS
    sizes = [1, 63, 64, 65, 1000, 9585059, edge - 1, edge, edge + 1, 2 * edge, 2 * edge + 1]
    sizes += [3 * edge + 1, 95850584, 1 << 32, (1 << 32) + 1, 9585058378, 1 << 40, (1 << 31) * edge - edge]
    for bit_size in sizes:
        segments, segment_bits = shape_of(bit_size)
        yield {"bitSize": bit_size, "segments": segments, "segmentBits": segment_bits}


def filter_rows():
    cases = [
        ("empty", (1, 64, 7), 0, 8),
        ("one element", (1, 64, 7), 1, 8),
        ("one word, crowded", (1, 64, 2), 20, 40),
        ("n = 50, p = 0.01", (1, 512, 7), 50, 60),
        ("three segments", (3, 128, 4), 40, 60),
        ("seventeen segments", (17, 64, 3), 120, 60),
    ]
    for name, shape, added, probes in cases:
        bloom = Filter(*shape)
        members = [noise(4 + i % 29, f"{name}/in/{i}") for i in range(added)]
        members[: len(TEXTS)] = [text.encode() for text in TEXTS[: len(members)]]
        others = [noise(4 + i % 29, f"{name}/out/{i}") for i in range(probes)]
        for element in members:
            bloom.add(element)
        segments, segment_bits, k = shape
        yield {
            "name": name,
            "segments": segments,
            "segmentBits": segment_bits,
            "numHashFunctions": k,
            "elements": [described(element) for element in members],
            "bitmapsHex": [bytes(bitmap).hex() for bitmap in bloom.bitmaps],
            "bitsSet": sum(bin(byte).count("1") for bitmap in bloom.bitmaps for byte in bitmap),
            "others": [
                {**described(element), "mightContain": bloom.might_contain(element)}
                for element in others
            ],
        }


def murmur3_rows():
    for element in elements():
        h1, h2 = murmur3_x64_128(element)
        yield {**described(element), "h1Hex": f"{h1:016x}", "h2Hex": f"{h2:016x}"}


def write_vectors(out):
    sections = {
        "murmur3": murmur3_rows(),
        "sizing": sizing_rows(),
        "rounding": rounding_rows(),
        "locations": location_rows(),
        "filters": filter_rows(),
    }
    head = {
        "formatVersion": 1,
        "scheme": "bloomgate-1",
        "source": "python3 src/test/resources/hash/bloomgate_1.py",
        "notes": [
            "The definition is docs/hash-schemes.md.",
            "murmur3: MurmurHash3 x64 128, seed 0, as two words in hexadecimal.",
            "sizing: bits is M of the formula, before it is raised for n < 64, split and rounded.",
            "rounding: an explicit bitSize and the shape it is rounded up to.",
            "locations: offsets in the order of i = 1 .. k, duplicates kept.",
            "filters: after adding elements in order; one bitmap a segment, as GET returns it;"
            " others were not added, so true is a genuine false positive.",
        ],
    }
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
    for key, rows in sections.items():
        body = ",\n    ".join(json.dumps(row, ensure_ascii=True) for row in rows)
        lines.append(f"{json.dumps(key)}: [\n    {body}\n  ]")
    out.write("{\n  " + ",\n  ".join(lines) + "\n}\n")


if __name__ == "__main__":
    check_murmur3()
    write_vectors(sys.stdout)
