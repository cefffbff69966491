// Tests elements against a file: node check.mjs FILE COUNT, with 'element 0' and on in it.

import assert from "node:assert";
import { mightContain } from "../../hash/reference/might_contain.mjs";
import { readFilter } from "./filter_file.mjs";

const { layers } = readFilter(process.argv[2]);
const count = Number(process.argv[3]);
const test = (text) =>
  layers.some(({ bitmaps, numHashFunctions }) =>
    mightContain(bitmaps, numHashFunctions, new TextEncoder().encode(text)),
  );
let others = 0;
for (let i = 0; i < count; i++) {
  assert(test(`element ${i}`), String(i));
  others += test(`other ${i}`);
}
assert(others < count / 10 + 1, String(others));
console.log(`${count} elements found`);
