// Testing and adding what is typed.

import { PATHS, Problem, send } from './api.js';
import { showCurl } from './curl.js';
import { describe } from './filter.js';
import { number } from './numbers.js';
import { $, element } from './page.js';
import { state } from './state.js';

const SHOWN_ANSWERS = 200;

const typed = () => $('text').value.split('\n').map((line) => line.replace(/\r$/, '')).filter(Boolean);

const requestFor = (verb, elements) => ({
  method: 'POST', path: PATHS[verb], name: state.name, body: { elements, encoding: $('encoding').value },
});

/** The lines that do the same, while there is something to send. */
export function showAsk() {
  const elements = typed();
  for (const verb of ['test', 'add']) {
    showCurl(`${verb}-curl`, elements.length > 0 ? requestFor(verb, elements) : null, `To ${verb} them by curl`);
  }
}

export async function ask(verb) {
  const elements = typed();
  if (elements.length === 0) {
    throw new Problem('There is nothing to send', 'Write one element a line.');
  }
  const { name } = state;
  const answer = await send(requestFor(verb, elements));
  renderAnswers(elements, verb, answer);
  if (verb === 'add') {
    await describe(name);
  }
}

function renderAnswers(elements, verb, answer) {
  const words = verb === 'add'
    ? { flags: answer.added, yes: ['new', 'new'], no: ['known', 'was there, or looks so'] }
    : { flags: answer.mightContain, yes: ['maybe', 'maybe'], no: ['no', 'certainly not'] };
  const count = verb === 'add' ? answer.addedCount : answer.mightContainCount;
  const caption = verb === 'add'
    ? `${number(count)} of ${number(elements.length)} were new: no one had added them before.`
    : `${number(count)} of ${number(elements.length)} might be there. “Certainly not” is never wrong; “maybe” is, for a few strangers.`;
  const shown = elements.slice(0, SHOWN_ANSWERS);
  const rest = elements.length - shown.length;
  const table = element('table', 'answers',
    element('caption', '', rest ? `${caption} The first ${SHOWN_ANSWERS} are shown.` : caption));
  const rows = table.createTBody();
  shown.forEach((text, index) => {
    const [className, word] = words.flags[index] ? words.yes : words.no;
    rows.append(element('tr', '', element('td', '', text), element('td', className, word)));
  });
  $('answers').replaceChildren(table);
}

$('text').addEventListener('input', showAsk);
$('encoding').addEventListener('change', showAsk);
