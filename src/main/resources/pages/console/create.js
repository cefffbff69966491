// The form for a new filter, sized while it is filled in.

import { call, PATHS, Problem, send } from './api.js';
import { showCurl } from './curl.js';
import { describe } from './filter.js';
import { list } from './list.js';
import { bytes, fromNow, number, oneIn, percent, readCount, readSeconds, readShare, significant } from './numbers.js';
import { plotSizes, redisBloomShape } from './promise.js';
import { $, field, figure, fill, hideProblem, say, show } from './page.js';
import { addressOf, state } from './state.js';

const TYPING_PAUSE = 250;

const expected = field('expected', readCount, (n) => `${number(n)} elements`);
const rate = field('rate', readShare, (p) => `${percent(p)}: ${p < 0.5 ? oneIn(p) : 'more than half'} of those that were never added is let through by mistake`);
const ttl = field(
  'ttl',
  (text) => (text.trim() ? readSeconds(text, Number($('ttl-unit').value)) : { value: null }),
  (seconds) => (seconds ? `Vanishes ${fromNow(Date.now() + 1000 * seconds)}` : 'Never vanishes'));

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
  const asked = (question += 1);
  const trouble = $('sizing-problem');
  trouble.hidden = true;
  if (n.problem || p.problem) {
    showNoSize();
    return;
  }
  try {
    const query = { expectedInsertions: n.value, falsePositiveProbability: p.value };
    const answer = await call('GET', PATHS.sizing, { query });
    if (asked === question) {
      showSize(answer, n.value, p.value);
    }
  } catch (failure) {
    if (asked === question) {
      showNoSize();
      trouble.textContent = failure.message;
      trouble.hidden = false;
    }
  }
}

function showNoSize() {
  fill($('sizing'));
  $('sizing-plot').hidden = true;
}

function showSize(answer, n, p) {
  fill(
    $('sizing'),
    figure('Memory in Redis', bytes(answer.sizeBytes)),
    figure('Bits for each element', significant(answer.bitsPerElement)),
    figure('Bits an element sets', number(answer.numHashFunctions)),
    figure('Segments', number(answer.segments), answer.segments > 1 ? 'of at most 2 MiB each' : ''));
  const other = redisBloomShape(n, p);
  fill(
    $('others'),
    figure('Guava', bytes(answer.bitSize / 8), 'in the memory of each process'),
    figure('RedisBloom', bytes(other.bitSize / 8), 'as it makes room to grow; as much as here with NONSCALING'));
  $('sizing-plot').hidden = false;
  plotSizes(n, p);
}

function requestFor(name, n, p, seconds) {
  const body = { expectedInsertions: n, falsePositiveProbability: p, whenFull: $('when-full').value };
  return { method: 'PUT', path: PATHS.filter, name, body: seconds ? { ...body, ttlSeconds: seconds } : body };
}

function showRequest() {
  const [n, p, seconds] = [expected, rate, ttl].map((read) => read.show());
  const isWrong = n.problem || p.problem || seconds.problem;
  showCurl('create-curl', isWrong ? null : requestFor($('name').value.trim() || 'NAME', n.value, p.value, seconds.value));
}

/** Sends nothing before every field is understood. */
export async function create() {
  const name = $('name').value.trim();
  if (!name) {
    $('name').focus();
    throw new Problem('The name is missing', 'Give the filter a name.');
  }
  await send(requestFor(name, expected.get(), rate.get(), ttl.get()));
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
  ttl.show();
  showRequest();
  size();
}

$('expected').addEventListener('input', sizeSoon);
$('rate').addEventListener('input', sizeSoon);
$('ttl-unit').addEventListener('change', ttl.show);
$('create').addEventListener('input', showRequest);
