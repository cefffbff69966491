const word = (x) => BigInt.asUintN(64, x);
const rotl = (x, r) => word((x << r) | (x >> (64n - r)));

function murmur3x64128(data) {
  const c1 = 0x87c37b91114253d5n;
  const c2 = 0x4cf5ad432745937fn;
  const mixK1 = (k) => word(rotl(word(k * c1), 31n) * c2);
  const mixK2 = (k) => word(rotl(word(k * c2), 33n) * c1);
  const fmix = (h) => {
    h = word((h ^ (h >> 33n)) * 0xff51afd7ed558ccdn);
    h = word((h ^ (h >> 33n)) * 0xc4ceb9fe1a85ec53n);
    return h ^ (h >> 33n);
  };
  // The last block is padded with zeros, which add nothing to h1 and h2.
  const padded = new Uint8Array(data.length + 16);
  padded.set(data);
  const view = new DataView(padded.buffer);

  let h1 = 0n;
  let h2 = 0n;
  let i = 0;
  for (; i + 16 <= data.length; i += 16) {
    h1 ^= mixK1(view.getBigUint64(i, true));
    h1 = word((rotl(h1, 27n) + h2) * 5n + 0x52dce729n);
    h2 ^= mixK2(view.getBigUint64(i + 8, true));
    h2 = word((rotl(h2, 31n) + h1) * 5n + 0x38495ab5n);
  }
  h1 ^= mixK1(view.getBigUint64(i, true)) ^ BigInt(data.length);
  h2 ^= mixK2(view.getBigUint64(i + 8, true)) ^ BigInt(data.length);
  h1 = word(h1 + h2);
  h2 = word(h2 + h1);
  h1 = fmix(h1);
  h2 = fmix(h2);
  h1 = word(h1 + h2);
  return [h1, word(h2 + h1)];
}

/** The segment of an element (a Uint8Array) and its k bits there. */
export function locate(element, segments, segmentBits, k) {
  const [h1, h2] = murmur3x64128(element);
  const g = (i) => {
    let z = word(h1 + BigInt(i) * h2);
    z = word((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = word((z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return z ^ (z >> 31n);
  };
  const scale = (z, bound) => Number((z * BigInt(bound)) >> 64n);
  const bits = Array.from({ length: k }, (_, i) => scale(g(i + 1), segmentBits));
  return { segment: scale(g(0), segments), bits };
}

/** False: certainly not added. bitmaps: the bytes of each segment (Uint8Array), in order. */
export function mightContain(bitmaps, k, element) {
  const { segment, bits } = locate(element, bitmaps.length, bitmaps[0].length * 8, k);
  return bits.every((x) => bitmaps[segment][x >> 3] & (0x80 >> (x & 7)));
}

/** An upper limit for the number of times it was added. counters: the bytes of each segment, in order. */
export function count(counters, k, element) {
  const { segment, bits: places } = locate(element, counters.length, counters[0].length * 2, k);
  return Math.min(...places.map((x) => (counters[segment][x >> 1] >> (4 * (1 - (x % 2)))) & 15));
}
