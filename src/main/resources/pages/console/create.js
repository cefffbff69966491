// Creating a filter: what stands in the form, as a request, and what such a filter takes.

import { call, PATHS, Problem, send } from './api.js';
import { firstWrong, orNothing, read } from './fields.js';
import { describe } from './filter.js';
import { layersOf, MOST_BYTES, MOST_FACTOR } from './growth.js';
import { list } from './list.js';
import { bytes, fromNow, number, oneIn, percent, readBytes, readCount, readSeconds, readShare } from './numbers.js';
import { $, addressOf, say, state, typed, update } from './state.js';
import { SLICES, span } from './window.js';

const TYPING_PAUSE = 250;

const expected = {
  id: 'expected', label: 'How many elements will it hold?', isRequired: true, read: readCount, words: (n) => `${number(n)} elements`,
};
const rate = {
  id: 'rate', label: 'How many strangers may it let through?', isRequired: true, list: 'rates', read: readShare,
  words: (p) => `${percent(p)}: ${p < 0.5 ? oneIn(p) : 'more than half'} of those that were never added is let through by mistake`,
};
const ttl = {
  id: 'ttl', label: 'Vanishes after', placeholder: 'never', unit: { id: 'ttl-unit', label: 'Unit of the time' }, read: orNothing(readSeconds),
  words: (seconds) => (seconds ? `Vanishes ${fromNow(Date.now() + 1000 * seconds)}` : 'Never vanishes'),
};
const remembered = {
  id: 'window', label: 'Forgets each element after', placeholder: 'never', unit: { id: 'window-unit', label: 'Unit of the window' },
  read: orNothing(readSeconds),
  words: (seconds) => (seconds ? `Each is remembered for ${span(seconds)} to ${span((seconds * (SLICES + 1)) / SLICES)}` : 'Never forgets'),
};
const factor = {
  id: 'factor', label: 'Each further layer takes how many times as many?', read: readFactor,
  words: (times) => (times === 1 ? 'As many as the one before' : `${number(times)} times as many as the one before`),
};
const mostBytes = {
  id: 'most-bytes', label: 'All layers together take at most', placeholder: 'as the service is set', read: orNothing(readMost),
  words: (most) => (most ? `${number(most)} bytes, ${bytes(most)}` : 'As the service is set, 1 GiB unless it is set otherwise'),
};

export const FIELDS = { expected, rate, ttl, remembered, factor, mostBytes };

function readFactor(text) {
  const { value, problem } = readCount(text);
  return problem || value <= MOST_FACTOR ? { value, problem } : { problem: `Write a whole number from 1 to ${MOST_FACTOR}.` };
}

/** The first layer must find room, and the service has a bound of its own. */
function readMost(text) {
  const { value, problem } = readBytes(text);
  if (problem || value > MOST_BYTES) {
    return { problem: problem ?? `At most ${bytes(MOST_BYTES)}.` };
  }
  const [n, p] = [read(expected), read(rate)];
  const isTooLittle = !n.problem && !p.problem && layersOf(n.value, p.value, 1, value).length === 0;
  return isTooLittle ? { problem: 'The first layer alone takes more. Write more, or fewer elements above.' } : { value };
}

export const forgets = () => typed.window.trim() !== '';
export const counts = () => typed.counting === 'yes';
export const grows = () => typed['when-full'] === 'grow';

const valueOf = (field) => read(field).value;

/** Of these follows what it takes. */
const isSized = () => [expected, rate, remembered].every((field) => !read(field).problem);

let typing = 0;
let question = 0;

function sizeSoon() {
  clearTimeout(typing);
  typing = setTimeout(size, TYPING_PAUSE);
  if (!isSized()) {
    // Nothing stands there for what is not understood.
    question += 1;
    update({ sizing: null });
  }
}

async function size() {
  if (!isSized()) {
    return;
  }
  const asked = (question += 1);
  const [n, p] = [valueOf(expected), valueOf(rate)];
  const growth = grows() ? { times: read(factor), most: read(mostBytes) } : null;
  const query = {
    expectedInsertions: n,
    // The first layer of one that grows has half of the rate.
    falsePositiveProbability: growth ? p / 2 : p,
    windowSeconds: valueOf(remembered),
    counting: counts() || undefined,
  };
  const sizing = await call('GET', PATHS.sizing, { query }).then(
    (answer) => ({ answer, n, p, growth }), ({ message }) => ({ problem: message }));
  if (asked === question) {
    update({ sizing });
  }
}

/** What stands in the form; nothing as long as that is not understood. */
const understood = () => [expected, rate, remembered, ttl, ...(grows() ? [factor, mostBytes] : [])];

/** The request for what stands in the form, which leaves out what is empty; null if that is not understood. */
export function creation(name = typed.name.trim() || 'NAME') {
  if (understood().some((field) => read(field).problem)) {
    return null;
  }
  const body = {
    expectedInsertions: valueOf(expected),
    falsePositiveProbability: valueOf(rate),
    whenFull: forgets() ? undefined : typed['when-full'],
    window: forgets() ? { seconds: valueOf(remembered) } : undefined,
    counting: counts() || undefined,
    ttlSeconds: valueOf(ttl),
    ...(grows() && { growthFactor: valueOf(factor), maxSizeBytes: valueOf(mostBytes) }),
  };
  return { method: 'PUT', path: PATHS.filter, name, body };
}

/** Sends nothing before every field is understood. */
export async function create() {
  const name = typed.name.trim();
  if (!name) {
    $('name').focus();
    throw new Problem('The name is missing', 'Give the filter a name.');
  }
  if (firstWrong(understood())) {
    return;
  }
  await send(creation(name));
  typed.name = '';
  say(`${name} is created.`);
  await list();
  if (state.name === name) {
    await describe(name);
  } else {
    location.hash = addressOf(name);
  }
}

export function openCreation() {
  update({ view: 'creation', problem: null });
  $('creation-heading').scrollIntoView({ block: 'nearest' });
  $('name').focus();
  sizeSoon();
}

/** What is written in one field may leave no choice in others. */
export function changed({ target }) {
  if (forgets()) {
    // What is too old makes room, so a filter that forgets is never full.
    Object.assign(typed, { 'when-full': 'accept', 'counting': 'no' });
  } else if (counts() && grows()) {
    // What counts does not grow.
    typed['when-full'] = 'accept';
  }
  if (!['name', 'ttl', 'ttl-unit'].includes(target.id)) {
    sizeSoon();
  }
}
