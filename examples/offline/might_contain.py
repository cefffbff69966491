MASK = (1 << 64) - 1


def murmur3_x64_128(data):
    c1, c2 = 0x87C37B91114253D5, 0x4CF5AD432745937F

    def rotl(x, r):
        return ((x << r) | (x >> (64 - r))) & MASK

    def mix_k1(k):
        return rotl(k * c1 & MASK, 31) * c2 & MASK

    def mix_k2(k):
        return rotl(k * c2 & MASK, 33) * c1 & MASK

    def fmix(h):
        h = (h ^ h >> 33) * 0xFF51AFD7ED558CCD & MASK
        h = (h ^ h >> 33) * 0xC4CEB9FE1A85EC53 & MASK
        return h ^ h >> 33

    h1 = h2 = 0
    blocks = len(data) // 16 * 16
    for i in range(0, blocks, 16):
        h1 ^= mix_k1(int.from_bytes(data[i : i + 8], "little"))
        h1 = ((rotl(h1, 27) + h2) * 5 + 0x52DCE729) & MASK
        h2 ^= mix_k2(int.from_bytes(data[i + 8 : i + 16], "little"))
        h2 = ((rotl(h2, 31) + h1) * 5 + 0x38495AB5) & MASK
    h1 ^= mix_k1(int.from_bytes(data[blocks : blocks + 8], "little"))
    h2 ^= mix_k2(int.from_bytes(data[blocks + 8 :], "little"))
    h1 ^= len(data)
    h2 ^= len(data)
    h1 = (h1 + h2) & MASK
    h2 = (h2 + h1) & MASK
    h1, h2 = fmix(h1), fmix(h2)
    h1 = (h1 + h2) & MASK
    return h1, (h2 + h1) & MASK


def locate(element, segments, segment_bits, k):
    """The segment of an element and its k bits there."""
    h1, h2 = murmur3_x64_128(element)

    def g(i):
        z = (h1 + i * h2) & MASK
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
        return z ^ z >> 31

    segment = g(0) * segments >> 64
    return segment, [g(i) * segment_bits >> 64 for i in range(1, k + 1)]


def might_contain(bitmaps, k, element):
    """False: certainly not added. bitmaps: the bytes of each segment, in order."""
    segment, bits = locate(element, len(bitmaps), len(bitmaps[0]) * 8, k)
    return all(bitmaps[segment][x >> 3] & 0x80 >> (x & 7) for x in bits)


def count(counters, k, element):
    """An upper limit for the number of times it was added. counters: the bytes of each segment, in order."""
    segment, places = locate(element, len(counters), len(counters[0]) * 2, k)
    return min(counters[segment][x >> 1] >> 4 * (1 - x % 2) & 15 for x in places)
