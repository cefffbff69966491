// Checks might_contain.mjs against the golden vectors: node check_vectors.mjs bloomgate-1.json

import assert from "node:assert";
import { readFileSync } from "node:fs";
import { locate, mightContain } from "./might_contain.mjs";

const bytes = (hex) => new Uint8Array(Buffer.from(hex, "hex"));
const vectors = JSON.parse(readFileSync(process.argv[2], "utf8"));
let checks = 0;
for (const row of vectors.locations) {
  // JSON.parse rounds integers above 2^53, so rows with larger numbers are skipped.
  if (!Number.isSafeInteger(row.segmentBits)) continue;
  const element = bytes(row.elementHex);
  const actual = locate(element, row.segments, row.segmentBits, row.numHashFunctions);
  assert.deepStrictEqual(actual, { segment: row.segment, bits: row.offsets });
  checks++;
}
for (const row of vectors.filters) {
  const bitmaps = row.bitmapsHex.map(bytes);
  for (const other of [...row.elements, ...row.others]) {
    const actual = mightContain(bitmaps, row.numHashFunctions, bytes(other.elementHex));
    assert.strictEqual(actual, other.mightContain ?? true, other.elementHex);
    checks++;
  }
}
console.log(`${checks} checks passed`);
