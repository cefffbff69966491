// Tests the elements 'element 0' and so on of a file: node check_file.mjs FILE COUNT. In a counting
// filter, element i was added 1 + i modulo 16 times. In a window filter, the rings have the number of
// their elements.

import assert from "node:assert";
import { count as times, mightContain } from "./might_contain.mjs";
import { readFilter } from "./filter_file.mjs";

const { plan, layers, rings } = readFilter(process.argv[2]);
const count = Number(process.argv[3]);
const isCounting = plan.counting;
const counted = (text) =>
  times(layers[0].bitmaps, layers[0].numHashFunctions, new TextEncoder().encode(text));
const isIn = ({ bitmaps, numHashFunctions }, text) =>
  mightContain(bitmaps, numHashFunctions, new TextEncoder().encode(text));
const test = (text) =>
  isCounting ? counted(text) > 0 : layers.some((layer) => isIn(layer, text));
let exact = 0;
let others = 0;
for (let i = 0; i < count; i++) {
  assert(test(`element ${i}`), String(i));
  if (isCounting) {
    const added = Math.min(15, 1 + (i % 16));
    assert(counted(`element ${i}`) >= added, String(i));
    exact += counted(`element ${i}`) === added;
  }
  others += test(`other ${i}`);
}
assert(!isCounting || exact > count * 0.9, String(exact));
const elements = rings.flat().reduce((sum, ring) => sum + ring.elements, 0);
assert(!plan.window || (elements >= count * 0.95 && elements <= count), String(elements));
assert(others < count / 10 + 1, String(others));
console.log(`${count} elements found`);
