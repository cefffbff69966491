// The form for a new filter, sized while it is filled in.

import { call, PATHS, Problem, send } from './api.js';
import { showCurl } from './curl.js';
import { describe } from './filter.js';
import { list } from './list.js';
import { layersOf, MOST_BYTES, MOST_FACTOR } from './growth.js';
import { bytes, fromNow, number, oneIn, percent, readBytes, readCount, readSeconds, readShare } from './numbers.js';
import { $, field, hideProblem, say, show } from './page.js';
import { showNoSize, showSize } from './sizes.js';
import { addressOf, state } from './state.js';
import { SLICES, span } from './window.js';

const TYPING_PAUSE = 250;

const expected = field('expected', readCount, (n) => `${number(n)} elements`);
const rate = field('rate', readShare, (p) => `${percent(p)}: ${p < 0.5 ? oneIn(p) : 'more than half'} of those that were never added is let through by mistake`);
const ttl = field(
  'ttl',
  (text) => (text.trim() ? readSeconds(text, Number($('ttl-unit').value)) : { value: null }),
  (seconds) => (seconds ? `Vanishes ${fromNow(Date.now() + 1000 * seconds)}` : 'Never vanishes'));

const factor = field(
  'factor',
  (text) => {
    const read = readCount(text);
    return read.problem || read.value <= MOST_FACTOR ? read : { problem: `Write a whole number from 1 to ${MOST_FACTOR}.` };
  },
  (times) => (times === 1 ? 'As many as the one before' : `${number(times)} times as many as the one before`));
const mostBytes = field(
  'most-bytes',
  (text) => (text.trim() ? withinBounds(readBytes(text)) : { value: null }),
  (most) => (most ? `${number(most)} bytes, ${bytes(most)}` : 'As the service is set, 1 GiB unless it is set otherwise'));
const remembered = field(
  'window',
  (text) => (text.trim() ? readSeconds(text, Number($('window-unit').value)) : { value: null }),
  (seconds) => (seconds ? `Each is remembered for ${span(seconds)} to ${span((seconds * (SLICES + 1)) / SLICES)}` : 'Never forgets'));

const forgets = () => $('window').value.trim() !== '';
const counts = () => $('counting').value === 'yes';
const grows = () => $('when-full').value === 'grow';

/** The first layer must find room, and the service has a bound of its own. */
function withinBounds(read) {
  if (read.problem || read.value > MOST_BYTES) {
    return read.problem ? read : { problem: `At most ${bytes(MOST_BYTES)}.` };
  }
  const [n, p] = [readCount($('expected').value), readShare($('rate').value)];
  const isTooLittle = !n.problem && !p.problem && layersOf(n.value, p.value, 1, read.value).length === 0;
  return isTooLittle ? { problem: 'The first layer alone takes more. Write more, or fewer elements above.' } : read;
}

let typing = 0;
let question = 0;

function sizeSoon() {
  clearTimeout(typing);
  // Nothing stands there for what is not understood.
  if (expected.show().problem || rate.show().problem) {
    showNoSize();
  }
  typing = setTimeout(size, TYPING_PAUSE);
}

async function size() {
  const n = expected.show();
  const p = rate.show();
  const window = remembered.show();
  const asked = (question += 1);
  const trouble = $('sizing-problem');
  trouble.hidden = true;
  if (n.problem || p.problem || window.problem) {
    showNoSize();
    return;
  }
  try {
    // The first layer of one that grows has half of the rate.
    const share = grows() && !forgets() ? p.value / 2 : p.value;
    const query = { expectedInsertions: n.value, falsePositiveProbability: share };
    if (forgets()) {
      query.windowSeconds = window.value;
    }
    if (counts()) {
      query.counting = true;
    }
    const answer = await call('GET', PATHS.sizing, { query });
    if (asked === question) {
      showSize(answer, n.value, p.value, grows() ? { times: factor.show(), most: mostBytes.show() } : null);
    }
  } catch (failure) {
    if (asked === question) {
      showNoSize();
      trouble.textContent = failure.message;
      trouble.hidden = false;
    }
  }
}

/** What is left empty is not sent; `get` reads a field. */
function requestFor(name, get) {
  const body = {
    expectedInsertions: get(expected),
    falsePositiveProbability: get(rate),
    whenFull: forgets() ? undefined : $('when-full').value,
    window: forgets() ? { seconds: get(remembered) } : undefined,
    counting: counts() || undefined,
    ttlSeconds: get(ttl) ?? undefined,
    ...(grows() && { growthFactor: get(factor), maxSizeBytes: get(mostBytes) ?? undefined }),
  };
  return { method: 'PUT', path: PATHS.filter, name, body };
}

function showRequest() {
  const fields = [expected, rate, ttl, remembered, ...(grows() ? [factor, mostBytes] : [])];
  const isWrong = fields.filter((each) => each.show().problem).length > 0;
  showCurl('create-curl', isWrong ? null : requestFor($('name').value.trim() || 'NAME', (each) => each.show().value));
}

/** What is too old makes room, so a filter that forgets is never full. */
function showWindow() {
  remembered.show();
  $('when-full').disabled = forgets();
  $('counting').disabled = forgets();
  if (forgets()) {
    $('when-full').value = 'accept';
    $('counting').value = 'no';
  }
  showCounting();
}

/** What counts neither forgets nor grows. */
function showCounting() {
  $('window').disabled = counts();
  $('when-full').querySelector('[value=grow]').disabled = counts();
  if (counts() && grows()) {
    $('when-full').value = 'accept';
  }
  showGrowth();
}

function showGrowth() {
  $('growth').hidden = !grows();
  sizeSoon();
}

/** Sends nothing before every field is understood. */
export async function create() {
  const name = $('name').value.trim();
  if (!name) {
    $('name').focus();
    throw new Problem('The name is missing', 'Give the filter a name.');
  }
  await send(requestFor(name, (each) => each.get()));
  $('name').value = '';
  say(`${name} is created.`);
  await list();
  if (state.name === name) {
    await describe(name);
  } else {
    location.hash = addressOf(name);
  }
}

export function openCreation() {
  hideProblem();
  show('creation');
  $('creation-heading').scrollIntoView({ block: 'nearest' });
  $('name').focus();
  showWindow();
  showRequest();
}

for (const id of ['expected', 'rate', 'factor', 'most-bytes']) {
  $(id).addEventListener('input', sizeSoon);
}
$('when-full').addEventListener('change', showGrowth);
$('create').addEventListener('change', showRequest);
$('ttl-unit').addEventListener('change', ttl.show);
$('window').addEventListener('input', showWindow);
$('counting').addEventListener('change', showCounting);
$('window-unit').addEventListener('change', showWindow);
$('create').addEventListener('input', showRequest);
