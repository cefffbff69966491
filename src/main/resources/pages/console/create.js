// The form for a new filter: its values, its request, and the size of the filter.

import { call, PATHS, Problem, send } from './api.js';
import { firstWrong, orNothing, read, UNITS } from './fields.js';
import { goTo } from './filter.js';
import { layersOf, MOST_BYTES, MOST_FACTOR } from './growth.js';
import { bytes, elementsIn, fromNow, number, oneIn } from './numbers.js';
import { readBytes, readCount, readSeconds, readShare } from './reading.js';
import { $, addressOf, FORM, state, typed, update } from './state.js';
import { SLICES, span } from './window.js';

const TYPING_PAUSE = 250;

const expected = {
  id: 'expected', label: 'Capacity', isRequired: true, read: readCount, words: elementsIn,
};
const rate = {
  id: 'rate', label: 'False-positive rate', isRequired: true, list: 'rates', read: readShare,
  words: (p) => `About ${oneIn(p)}${p < 0.5 ? '' : ' of'} tests for elements that were never added ${p < 0.5 ? 'is a false positive' : 'are false positives'}.`,
};
const ttl = {
  id: 'ttl', label: 'Expires after', placeholder: 'never', unit: { id: 'ttl-unit', label: 'Time unit' }, read: orNothing(readSeconds),
  words: (seconds) => (seconds ? `Expires ${fromNow(Date.now() + 1000 * seconds)}` : ''),
};
const remembered = {
  id: 'window', label: 'Remembers each element for', isRequired: true, unit: { id: 'window-unit', label: 'Time unit of the window' },
  read: readSeconds, words: (seconds) => `At least ${span(seconds)}, at most ${span((seconds * (SLICES + 1)) / SLICES)}`,
};
const factor = {
  id: 'factor', label: 'Growth factor', read: readFactor,
  words: (times) => (times === 1 ? 'Each layer has the capacity of the one before' : `Each layer has ${number(times)} times the capacity of the one before`),
};
const mostBytes = {
  id: 'most-bytes', label: 'Memory limit', placeholder: 'as configured', read: orNothing(readMost),
  words: mostInWords,
};
const whenFull = {
  id: 'when-full', label: 'When full',
  options: [
    ['accept', 'keep accepting (false-positive rate rises)'],
    ['reject', 'refuse new elements'],
  ],
};

export const KINDS = [
  ['fixed', 'Fixed size', 'You know roughly how many elements to expect. Smallest and fastest.'],
  ['grows', 'Growing', 'You do not know how many elements to expect. Adds layers as it fills up, and keeps the false-positive rate.'],
  ['forgets', 'Window', 'Elements are forgotten after a set time, such as a day or a week.'],
  ['counts', 'Counting', 'Elements can be removed. Takes four times the memory.'],
];

export const FIELDS = { expected, rate, ttl, remembered, factor, mostBytes, whenFull };

const OPTIONS = { 'kind': KINDS, 'when-full': whenFull.options, 'ttl-unit': UNITS, 'window-unit': UNITS };

/** Whether the form has a field that can show the value. */
const isShowable = ([id, value]) => id in FORM && (OPTIONS[id]?.some(([option]) => option === value) ?? true);

function readFactor(text) {
  const { value, problem } = readCount(text);
  return problem || value <= MOST_FACTOR ? { value, problem } : { problem: `Enter a whole number from 1 to ${MOST_FACTOR}.` };
}

function mostInWords(most, text) {
  if (most === undefined) {
    return 'The default of the service, usually 1 GiB';
  }
  return text === bytes(most) ? '' : `${number(most)} bytes, ${bytes(most)}`;
}

/** The memory limit must have room for the first layer, and the service has its own maximum. */
function readMost(text) {
  const { value, problem } = readBytes(text);
  if (problem || value > MOST_BYTES) {
    return { problem: problem ?? `At most ${bytes(MOST_BYTES)}.` };
  }
  const [n, p] = [read(expected), read(rate)];
  const isTooLittle = !n.problem && !p.problem && layersOf(n.value, p.value, 1, value).length === 0;
  return isTooLittle ? { problem: 'The first layer alone takes more. Raise the limit or lower the capacity.' } : { value };
}

export const isKind = (kind) => typed.kind === kind;

const valueOf = (field) => read(field).value;

const ofKind = () => ({ grows: [factor, mostBytes], forgets: [remembered] }[typed.kind] ?? []);

const understood = () => [expected, rate, ttl, ...ofKind()];

/** Whether the fields that determine the figures are valid. */
const isSized = () => [expected, rate, ...ofKind()].every((field) => !read(field).problem);

let typing = 0;
let question = 0;

function sizeSoon() {
  clearTimeout(typing);
  typing = setTimeout(size, TYPING_PAUSE);
  if (!isSized() && state.sizing) {
    question += 1;
    update({ sizing: { ...state.sizing, isOld: true } });
  }
}

async function size() {
  if (!isSized()) {
    return;
  }
  const asked = (question += 1);
  const { kind } = typed;
  const [n, p] = [valueOf(expected), valueOf(rate)];
  const query = {
    expectedInsertions: n,
    falsePositiveProbability: p,
    // The figures are for the first layer.
    ...(kind === 'grows' && { whenFull: 'grow', growsTo: n }),
    windowSeconds: kind === 'forgets' ? valueOf(remembered) : undefined,
    counting: kind === 'counts' || undefined,
  };
  const growth = kind === 'grows' ? { times: valueOf(factor), most: valueOf(mostBytes) } : null;
  const sizing = await call('GET', PATHS.sizing, { query }).then(
    (answer) => ({ answer, n, p, kind, growth }), ({ message }) => ({ problem: message }));
  if (asked === question) {
    update({ sizing });
  }
}

/** The request with the values in the form, without empty ones; null while one is invalid. */
export function creation(name = typed.name.trim() || 'NAME') {
  if (understood().some((field) => read(field).problem)) {
    return null;
  }
  const body = {
    expectedInsertions: valueOf(expected),
    falsePositiveProbability: valueOf(rate),
    whenFull: isKind('grows') ? 'grow' : isKind('forgets') ? undefined : typed['when-full'],
    window: isKind('forgets') ? { seconds: valueOf(remembered) } : undefined,
    counting: isKind('counts') || undefined,
    ttlSeconds: valueOf(ttl),
    ...(isKind('grows') && { growthFactor: valueOf(factor), maxSizeBytes: valueOf(mostBytes) }),
  };
  return { method: 'PUT', path: PATHS.filter, name, body };
}

/** Sends the request once every field is valid. */
export async function create() {
  const name = typed.name.trim();
  if (!name) {
    $('name').focus();
    throw new Problem('The name is missing', 'Give the filter a name.');
  }
  if (firstWrong(understood())) {
    return undefined;
  }
  await send(creation(name));
  await goTo(addressOf(name));
  return `${name} was created.`;
}

/** The address of the form, with all values that differ from the defaults. */
function formAddress() {
  const values = Object.entries(FORM).filter(([id, value]) => typed[id] !== value).map(([id]) => [id, typed[id]]);
  return values.length > 0 ? `#new?${new URLSearchParams(values)}` : '#new';
}

/** Shows the form with the values of its address, so that links and reloads keep them. */
export function openForm(values) {
  const given = [...new URLSearchParams(values)].filter(isShowable);
  Object.assign(typed, FORM, Object.fromEntries(given));
  update({ view: 'creation', sizing: null });
  $('name').focus();
  sizeSoon();
}

export function changed() {
  history.replaceState(null, '', formAddress());
  sizeSoon();
}
