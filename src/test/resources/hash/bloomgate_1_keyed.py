"""Reference implementation of the hash scheme bloomgate-1-keyed and source of its golden vectors.

Like bloomgate_1.py, whose code it uses for what the schemes have in common: plain Python 3, written
from docs/hash-schemes.md. It shares no code with the Java implementation.

Regenerate the vectors from the root of the repository:

    python3 src/test/resources/hash/bloomgate_1_keyed.py > src/test/resources/hash/bloomgate-1-keyed.json

The scheme is frozen: a regenerated file may gain rows, but no existing row may change.
"""

import hmac
import json
import sys

import bloomgate_1 as plain
from bloomgate_1 import WORD, described, elements, noise


# --- HighwayHash-128 -------------------------------------------------------------------------

LOW = (1 << 32) - 1

# Digits of pi, as the authors chose them.
INIT0 = [0xDBE6D5D5FE4CCE2F, 0xA4093822299F31D0, 0x13198A2E03707344, 0x243F6A8885A308D3]
INIT1 = [0x3BD39E10CB0EF593, 0xC0ACF169B5F18A8C, 0xBE5466CF34E90C6C, 0x452821E638D01377]


def words(data):
    return [int.from_bytes(data[i : i + 8], "little") for i in range(0, len(data), 8)]


def swap(word):
    return word >> 32 | (word & LOW) << 32


def zipper(lanes):
    """Shuffles the 16 bytes of two lanes."""
    both = b"".join(lane.to_bytes(8, "little") for lane in lanes)
    order = [3, 12, 2, 5, 14, 1, 15, 0, 11, 4, 10, 13, 9, 6, 8, 7]
    return words(bytes(both[i] for i in order))


class Highway:
    def __init__(self, key):
        self.mul0, self.mul1 = INIT0[:], INIT1[:]
        self.v0 = [init ^ word for init, word in zip(INIT0, key)]
        self.v1 = [init ^ swap(word) for init, word in zip(INIT1, key)]

    def update(self, packet):
        for i in range(4):
            self.v1[i] = (self.v1[i] + self.mul0[i] + packet[i]) % WORD
            self.mul0[i] ^= (self.v1[i] & LOW) * (self.v0[i] >> 32)
            self.v0[i] = (self.v0[i] + self.mul1[i]) % WORD
            self.mul1[i] ^= (self.v0[i] & LOW) * (self.v1[i] >> 32)
        for target, source in ((self.v0, self.v1), (self.v1, self.v0)):
            for half in (0, 2):
                mixed = zipper(source[half : half + 2])
                for i in range(2):
                    target[half + i] = (target[half + i] + mixed[i]) % WORD

    def rest(self, data):
        count = len(data)
        self.v0 = [(lane + (count << 32) + count) % WORD for lane in self.v0]
        self.v1 = [rotate_halves(lane, count) for lane in self.v1]
        packet = bytearray(32)
        whole, loose = count & ~3, count & 3
        packet[:whole] = data[:whole]
        if count & 16:
            packet[28:] = data[count - 4 :]
        elif loose:
            tail = data[whole:]
            packet[16:19] = bytes([tail[0], tail[loose >> 1], tail[loose - 1]])
        self.update(words(bytes(packet)))

    def finish(self):
        for _ in range(6):
            self.update([swap(self.v0[i]) for i in (2, 3, 0, 1)])
        return tuple(
            (self.v0[i] + self.mul0[i] + self.v1[i + 2] + self.mul1[i + 2]) % WORD for i in (0, 1)
        )


def rotate_halves(word, count):
    def rotate(half):
        return (half << count | half >> (32 - count)) & LOW

    return rotate(word >> 32) << 32 | rotate(word & LOW)


def highway_hash_128(key, data):
    """Two words; the key has 32 bytes."""
    state = Highway(words(key))
    full = len(data) // 32 * 32
    for i in range(0, full, 32):
        state.update(words(data[i : i + 32]))
    if len(data) > full:
        state.rest(data[full:])
    return state.finish()


def check_highway_hash():
    """Compares with values that its authors published. If one differs, nothing is generated."""
    published = {
        0: (0x0FED268F9D8FFEC7, 0x33565E767F093E6F),
        1: (0xD6B0A8893681E7A8, 0xDC291DF9EB9CDCB4),
        3: (0x0607621B295F0BEB, 0xBFE69A0FD9CEDD79),
        16: (0x414460FFD5A401AD, 0x029EA3D5019F18C8),
        31: (0x06E7B465E8A57C29, 0x52415E3A07F5D446),
        32: (0x1984DF66C1434AAA, 0x16FC1958F9B3E4B9),
        33: (0x111678AFE0C6C36C, 0xF958B59DE5A2849D),
        63: (0x74BD7018022F3EF0, 0x3AEA94A8AD5F4BCB),
    }
    for length, expected in published.items():
        assert highway_hash_128(bytes(range(32)), bytes(range(length))) == expected, length


# --- The key ---------------------------------------------------------------------------------


def hkdf(salt, secret, info, length):
    """HKDF-SHA-256 of RFC 5869, for up to 32 bytes."""
    extracted = hmac.digest(salt, secret, "sha256")
    return hmac.digest(extracted, info + b"\x01", "sha256")[:length]


def check_hkdf():
    """Test case 1 of RFC 5869, whose first 32 bytes are one block."""
    derived = hkdf(bytes(range(13)), b"\x0b" * 22, bytes(range(0xF0, 0xFA)), 32)
    assert derived.hex() == "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"


def secret_id(secret):
    return hkdf(bytes(32), secret, b"bloomgate secret id", 8)


def filter_key(secret, salt):
    return hkdf(salt, secret, b"bloomgate-1-keyed", 32)


# --- The vectors -----------------------------------------------------------------------------

KEY = bytes(range(32))


def locate(key, element, segments, segment_bits, k):
    h1, h2 = highway_hash_128(key, element)

    def g(i):
        return plain.mix64((h1 + i * h2) % WORD)

    return g(0) * segments >> 64, [g(i) * segment_bits >> 64 for i in range(1, k + 1)]


def key_rows():
    for i in range(12):
        secret = noise(32 + 7 * i, f"secret/{i}")
        salt = noise(16, f"salt/{i}")
        yield {
            "secretHex": secret.hex(),
            "saltHex": salt.hex(),
            "secretId": secret_id(secret).hex(),
            "keyHex": filter_key(secret, salt).hex(),
        }


def hash_rows():
    for element in elements():
        h1, h2 = highway_hash_128(KEY, element)
        yield {**described(element), "h1Hex": f"{h1:016x}", "h2Hex": f"{h2:016x}"}


def location_rows():
    shapes = [(1, 64, 1), (1, 960, 7), (1, 9585088, 7), (2, 9585088, 7), (573, 16728064, 20)]
    for number, key in enumerate((KEY, bytes(32), noise(32, "key"))):
        for element in elements() if number == 0 else elements()[::7]:
            for segments, segment_bits, k in shapes:
                segment, offsets = locate(key, element, segments, segment_bits, k)
                yield {
                    "keyHex": key.hex(),
                    **described(element),
                    "segments": segments,
                    "segmentBits": segment_bits,
                    "numHashFunctions": k,
                    "segment": segment,
                    "offsets": offsets,
                }


def write_vectors(out):
    sections = {"keys": key_rows(), "highwayHash": hash_rows(), "locations": location_rows()}
    head = {
        "formatVersion": 1,
        "scheme": "bloomgate-1-keyed",
        "source": "python3 src/test/resources/hash/bloomgate_1_keyed.py",
        "notes": [
            "The definition is docs/hash-schemes.md.",
            "keys: what is derived from a secret and the salt of a filter.",
            "highwayHash: HighwayHash-128 as two words in hexadecimal; the key is 00 01 .. 1f.",
            "locations: offsets in the order of i = 1 .. k, duplicates kept.",
        ],
    }
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
    for key, rows in sections.items():
        body = ",\n    ".join(json.dumps(row, ensure_ascii=True) for row in rows)
        lines.append(f"{json.dumps(key)}: [\n    {body}\n  ]")
    out.write("{\n  " + ",\n  ".join(lines) + "\n}\n")


if __name__ == "__main__":
    check_highway_hash()
    check_hkdf()
    write_vectors(sys.stdout)
