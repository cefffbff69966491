import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const BLOCK_BYTES = 65536;

/** R, the number of rings of a segment. */
function ringCount({ seconds, slices }) {
  return slices + (seconds ? Math.min(Math.max(2 * slices, 16), 64) : 1);
}

/**
 * Returns the plan of an exported filter, and k and the bitmaps of each layer. The rings of a
 * window filter are returned as layers. Throws if the file is incomplete.
 */
export function readFilter(path) {
  const file = readFileSync(path);
  let at = 0;
  const take = (count) => {
    if (file.length - at < count) throw new Error("the file is cut off");
    at += count;
    return file.subarray(at - count, at);
  };
  const expect = (tag, ...fields) => {
    const found = [take(4).toString("latin1")];
    if (fields.length > 0) found.push(take(4).readUInt32BE());
    if (fields.length > 1) found.push(Number(take(8).readBigUInt64BE()));
    if (found.join() !== [tag, ...fields].join()) throw new Error(`not a ${tag} with ${fields}`);
  };

  const magic = take(8).toString("latin1");
  const version = take(4).readUInt32BE();
  const length = take(4).readUInt32BE();
  if (magic !== "\x89BLOOM\r\n" || version !== 1 || length > 8192) {
    throw new Error("not the file of a filter, version 1");
  }
  const { plan } = JSON.parse(take(length).toString("latin1"));
  take(4); // a checksum; the digest at the end covers all
  const numRings = plan.window ? ringCount(plan.window) : 1;
  let segment = 0;
  const rings = [];
  const layers = plan.layers.flatMap(({ shape }) => {
    const size = Math.ceil(shape.segmentBits / 8);
    const bitmaps = [];
    for (const end = segment + shape.segments; segment < end; segment++) {
      const blocks = [];
      for (let offset = 0; offset < size; offset += BLOCK_BYTES) {
        expect("BLCK", segment, offset);
        blocks.push(take(Math.min(BLOCK_BYTES, size - offset)));
        take(4);
      }
      if (plan.window) {
        expect("RING", segment);
        take(16); // the latest time of an element, the number of the newest ring
        const number = () => Number(take(8).readBigUInt64BE());
        const ring = () => ({ begin: number(), end: number(), elements: number(), bitsSet: number() });
        rings.push(Array.from({ length: numRings }, ring));
        take(4);
      }
      expect("SEGM", segment);
      take(8 + 8 + 4); // bits set, insertions, snapshot
      take(4);
      bitmaps.push(new Uint8Array(Buffer.concat(blocks)));
    }
    return Array.from({ length: numRings }, (_, ring) => ({
      numHashFunctions: shape.numHashFunctions,
      bitmaps: bitmaps.map((all) => all.subarray((ring * size) / numRings, ((ring + 1) * size) / numRings)),
    }));
  });
  expect("DONE");
  const digest = createHash("sha256").update(file.subarray(0, at)).digest();
  if (!digest.equals(file.subarray(at))) throw new Error("the digest is wrong");
  return { plan, layers, rings };
}
