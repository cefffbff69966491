// Testing, adding and removing what is typed.

import { PATHS, Problem, send } from './api.js';
import { showCurl } from './curl.js';
import { describe } from './filter.js';
import { number } from './numbers.js';
import { $, element } from './page.js';
import { state } from './state.js';

const SHOWN_ANSWERS = 200;

const VERBS = ['test', 'add', 'remove'];

/** A filter that counts also tells how often. */
const callFor = (verb) => (verb === 'test' && state.isCounting ? 'count' : verb);

const typed = () => $('text').value.split('\n').map((line) => line.replace(/\r$/, '')).filter(Boolean);

const requestFor = (verb, elements) => ({
  method: 'POST', path: PATHS[callFor(verb)], name: state.name, body: { elements, encoding: $('encoding').value },
});

/** The lines that do the same, while there is something to send. */
export function showAsk() {
  const elements = typed();
  $('removal').hidden = !state.isCounting;
  $('removal-note').hidden = !state.isCounting;
  for (const verb of VERBS) {
    const isOffered = elements.length > 0 && (verb !== 'remove' || state.isCounting);
    showCurl(`${verb}-curl`, isOffered ? requestFor(verb, elements) : null, `To ${callFor(verb)} them by curl`);
  }
}

export async function ask(verb) {
  const elements = typed();
  if (elements.length === 0) {
    throw new Problem('There is nothing to send', 'Write one element a line.');
  }
  const { name } = state;
  const called = callFor(verb);
  const answer = await send(requestFor(verb, elements));
  renderAnswers(elements, called, answer);
  if (verb !== 'test') {
    await describe(name);
  }
}

function times(count, most) {
  if (count >= most) {
    return `${number(most)} times or more`;
  }
  return count === 1 ? 'once' : `${number(count)} times`;
}

const numberOf = (flags) => number(flags.filter(Boolean).length);

/** For each element a class and a word; and what all of them come to. */
const READERS = {
  add: ({ added }) => ({
    words: added.map((isNew) => (isNew ? ['new', 'new'] : ['known', 'was there, or looks so'])),
    caption: `${numberOf(added)} of ${number(added.length)} were new: no one had added them before.`,
  }),
  test: ({ mightContain }) => ({
    words: mightContain.map((isMaybe) => (isMaybe ? ['maybe', 'maybe'] : ['no', 'certainly not'])),
    caption: `${numberOf(mightContain)} of ${number(mightContain.length)} might be there. “Certainly not” is never wrong; “maybe” is, for a few strangers.`,
  }),
  count: ({ counts, countsUpTo }) => ({
    words: counts.map((count) => (count > 0 ? ['maybe', `maybe, ${times(count, countsUpTo)} at most`] : ['no', 'certainly not'])),
    caption: `${numberOf(counts)} of ${number(counts.length)} might be there. “Certainly not” is never wrong; “maybe” is, for a few strangers.`,
  }),
  remove: ({ removed }) => ({
    words: removed.map((was) => (was ? ['known', 'removed'] : ['no', 'was not there'])),
    caption: `${numberOf(removed)} of ${number(removed.length)} were removed: one addition of each is taken back.`,
  }),
};

function renderAnswers(elements, call, answer) {
  const { words, caption } = READERS[call](answer);
  const shown = elements.slice(0, SHOWN_ANSWERS);
  const rest = elements.length - shown.length;
  const table = element('table', 'answers',
    element('caption', '', rest ? `${caption} The first ${SHOWN_ANSWERS} are shown.` : caption));
  const rows = table.createTBody();
  shown.forEach((text, index) => {
    const [className, word] = words[index];
    rows.append(element('tr', '', element('td', '', text), element('td', className, word)));
  });
  $('answers').replaceChildren(table);
}

$('text').addEventListener('input', showAsk);
$('encoding').addEventListener('change', showAsk);
