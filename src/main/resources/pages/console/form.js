// The fields of the form for a new filter, and the parameters that they stand for.

import { expiryOf, inWords, readExpiry, since } from './expiry.js';
import { orNothing, read, UNITS } from './fields.js';
import { layersOf, MOST_BYTES, MOST_FACTOR, mostInWords } from './growth.js';
import { KINDS, SCHEMES } from './kinds.js';
import { bytes, counted, elementsIn, number, oneIn } from './numbers.js';
import { readBytes, readCount, readSeconds, readShare } from './reading.js';
import { FORM, typed } from './state.js';
import { SLICES, span } from './window.js';

/** The same limits as in the service. */
const [FEWEST_SLICES, MOST_SLICES, MOST_HASHES] = [2, 64, 255];

const expected = {
  id: 'expected', label: 'Capacity', isRequired: true, read: readCount, words: elementsIn,
};
const rate = {
  id: 'rate', label: 'False-positive rate', isRequired: true, list: 'rates', read: readShare,
  words: (p) => `About ${oneIn(p)}${p < 0.5 ? '' : ' of'} tests for elements that were never added ${p < 0.5 ? 'is a false positive' : 'are false positives'}.`,
};
const ttlSince = since('ttl-since');
export const ttl = {
  id: 'ttl', label: 'Expires after', placeholder: 'never', unit: { id: 'ttl-unit', label: 'Time unit' },
  read: orNothing((text, unit) => readExpiry(text, unit, countedFrom())),
  words: (seconds) => (seconds ? inWords('Expires', seconds, countedFrom()) : ''),
};
const slices = {
  id: 'slices', label: 'Slices', read: (text) => readUpTo(text, MOST_SLICES, FEWEST_SLICES),
  words: (count) => `Forgets the elements of one of ${number(count)} slices at a time`,
};
const WINDOW_UNITS = [...UNITS, ['adds', 'later adds']];
const remembered = {
  id: 'window', label: 'Remembers each element for', isRequired: true,
  unit: { id: 'window-unit', label: 'Unit of the window', options: WINDOW_UNITS },
  read: (text, unit) => (isByAdds() ? readAdds(text) : readSeconds(text, unit)),
  words: rememberedInWords,
};
const refresh = {
  id: 'refresh', label: 'When it is added again',
  options: [['yes', 'its window starts again'], ['no', 'its window stays']],
};
const factor = {
  id: 'factor', label: 'Growth factor', read: (text) => readUpTo(text, MOST_FACTOR),
  words: (times) => (times === 1 ? 'Each layer has the capacity of the one before' : `Each layer has ${number(times)} times the capacity of the one before`),
};
const mostBytes = {
  id: 'most-bytes', label: 'Size limit', placeholder: 'as configured', read: orNothing(readMost),
  words: mostInWords,
};
const whenFull = {
  id: 'when-full', label: 'When full',
  options: [
    ['accept', 'keep accepting (false-positive rate rises)'],
    ['reject', 'refuse new elements'],
  ],
};
const template = { id: 'template', label: 'Template: adds can create filters like it', kind: 'checkbox' };
const keyed = { id: 'keyed', label: 'Keyed: for elements from clients that you do not trust', kind: 'checkbox' };

const scheme = { id: 'scheme', label: 'Hash scheme', options: SCHEMES.map((id) => [id, id]) };
const codec = {
  id: 'codec', label: 'Codec of Redisson', options: [['', 'string (default)'], ['kryo5', 'kryo5 (Redisson’s own default since 3.19.0)']] };
const redisKey = {
  id: 'redis-key', label: 'Redis key of the bitmap', placeholder: 'none',
  read: (text) => ({ value: text.trim() || undefined }),
  words: (name) => (name ? 'The filter uses this key together with the library' : 'Empty: the filter has a key of its own'),
};
const sizedBy = {
  id: 'sized-by', label: 'Sized by',
  options: [['elements', 'capacity and rate'], ['bits', 'bits and hash functions'], ['config', 'what the library wrote into Redis']],
};
const bits = { id: 'bits', label: 'Bits', isRequired: true, read: readCount, words: (count, text) => (text === number(count) ? '' : number(count)) };
const hashes = {
  id: 'hashes', label: 'Hash functions (k)', placeholder: 'default', read: orNothing((text) => readUpTo(text, MOST_HASHES)),
  words: () => '',
};

const OPTIONS = {
  'kind': KINDS, 'when-full': whenFull.options, 'ttl-unit': UNITS, 'window-unit': WINDOW_UNITS, 'refresh': refresh.options,
  'scheme': scheme.options, 'codec': codec.options, 'sized-by': sizedBy.options, 'keyed': [['true']], 'template': [['true']],
  'ttl-since': ttlSince.options };

/** Whether the form has a field that can show the value. */
export const isShowable = ([id, value]) => id in FORM && (OPTIONS[id]?.some(([option]) => option === value) ?? true);

export const isKind = (kind) => typed.kind === kind;

export const valueOf = (field) => read(field).value;

/** Whether the window is a number of elements instead of a time. */
export const isByAdds = () => isKind('forgets') && typed['window-unit'] === 'adds';

/** Whether the filter uses the key of another library, so that its adds and tests cannot be seen. */
const isShared = () => isKind('library') && Boolean(valueOf(redisKey));

const countedFrom = () => (isShared() ? 'now' : typed['ttl-since']);

const isSizedBy = (way) => isKind('library') && typed['sized-by'] === way;

function readUpTo(text, most, fewest = 1) {
  const { value, problem } = readCount(text);
  return problem || (value >= fewest && value <= most)
    ? { value, problem } : { problem: `Enter a whole number from ${fewest} to ${most}.` };
}

/** Each slice has at least one element. */
function readAdds(text) {
  const { value, problem } = readCount(text);
  const fewest = read(slices).value ?? FEWEST_SLICES;
  return problem || value >= fewest ? { value, problem } : { problem: `Enter at least ${fewest}, one for each slice.` };
}

function rememberedInWords(length) {
  const count = valueOf(slices) ?? SLICES;
  const [least, most] = [length, (length * (count + 1)) / count];
  return isByAdds()
    ? `At least ${counted(least, 'later add')}, at most ${number(Math.ceil(most))}`
    : `At least ${span(least)}, at most ${span(most)}`;
}

/** The size limit must have room for the first layer, and the service has its own maximum. */
function readMost(text) {
  const { value, problem } = readBytes(text);
  if (problem || value > MOST_BYTES) {
    return { problem: problem ?? `At most ${bytes(MOST_BYTES)}.` };
  }
  const [n, p] = [read(expected), read(rate)];
  const isTooLittle = !n.problem && !p.problem && layersOf(n.value, p.value, 1, value).length === 0;
  return isTooLittle ? { problem: 'The first layer alone takes more. Raise the limit or lower the capacity.' } : { value };
}

/** The fields for the size of this kind of filter. */
export function sizeFields() {
  if (isSizedBy('config')) {
    return [];
  }
  return isSizedBy('bits') ? [bits, hashes] : isByAdds() ? [rate] : [expected, rate];
}

/** When the filter expires. */
export const expiryFields = () => (typed.ttl.trim() && !isShared() ? [ttl, ttlSince] : [ttl]);

/** The other fields of this kind, which are shown in pairs. */
export const kindFields = () => [...{
  fixed: [whenFull, keyed],
  grows: [factor, mostBytes, keyed],
  forgets: [remembered, slices, refresh, keyed],
  counts: [whenFull, keyed],
  library: [redisKey, isSizedBy('config') ? null : whenFull].filter(Boolean),
}[typed.kind], ...(isShared() ? [] : [template])];

/** The fields above the size. */
export const firstFields = () => (isKind('library') ? [scheme, typed.scheme === 'redisson' ? codec : null, sizedBy].filter(Boolean) : []);

/** The fields with values that can be wrong. */
export const allFields = () => [...sizeFields(), ttl, ...kindFields()];

/** The parameters of the form, as far as they determine the size. */
function sizeOf() {
  const values = Object.fromEntries(sizeFields().map((field) => [field.id, valueOf(field)]));
  return {
    expectedInsertions: values.expected,
    falsePositiveProbability: values.rate,
    bitSize: values.bits,
    numHashFunctions: values.hashes,
    counting: isKind('counts') || undefined,
  };
}

const schemeOf = () => (isKind('library') ? typed.scheme : typed.keyed ? 'bloomgate-1-keyed' : undefined);

const windowOf = () => (isByAdds() ? { insertions: valueOf(remembered) } : { seconds: valueOf(remembered) });

/** The body of the request that creates the filter. */
export const bodyOf = () => ({
  ...sizeOf(),
  hashScheme: schemeOf(),
  elementCodec: (isKind('library') && typed.scheme === 'redisson' && typed.codec) || undefined,
  redisKey: isKind('library') ? valueOf(redisKey) : undefined,
  whenFull: isKind('grows') ? 'grow' : kindFields().includes(whenFull) ? typed['when-full'] : undefined,
  ...(isKind('forgets') && { window: windowOf(), slices: valueOf(slices), refresh: typed.refresh === 'yes' }),
  template: (typed.template && !isShared()) || undefined,
  ...(valueOf(ttl) && expiryOf(valueOf(ttl), countedFrom())),
  ...(isKind('grows') && { growthFactor: valueOf(factor), maxSizeBytes: valueOf(mostBytes) }),
});

/** The query for the size; for a growing filter, for its first layer. */
export const sizingQuery = () => ({
  ...sizeOf(),
  hashScheme: isKind('library') ? typed.scheme : undefined,
  ...(isKind('grows') && { whenFull: 'grow', growsTo: valueOf(expected) }),
  ...(isKind('forgets') && { [isByAdds() ? 'windowInsertions' : 'windowSeconds']: valueOf(remembered), slices: valueOf(slices) }),
});

export const growthOf = () => (isKind('grows') ? { times: valueOf(factor), most: valueOf(mostBytes) } : null);
