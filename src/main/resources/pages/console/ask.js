// Testing and adding what is typed.

import { call, PATHS, Problem } from './api.js';
import { describe } from './filter.js';
import { number } from './numbers.js';
import { $, element } from './page.js';
import { state } from './state.js';

const SHOWN_ANSWERS = 200;

export async function ask(verb) {
  const elements = $('text').value.split('\n').map((line) => line.replace(/\r$/, '')).filter(Boolean);
  if (elements.length === 0) {
    throw new Problem('There is nothing to send', 'Write one element a line.');
  }
  const { name } = state;
  const body = { elements, encoding: $('encoding').value };
  const answer = await call('POST', verb === 'add' ? PATHS.add : PATHS.test, { name, body });
  renderAnswers(elements, verb, answer);
  if (verb === 'add') {
    await describe(name);
  }
}

function renderAnswers(elements, verb, answer) {
  const words = verb === 'add'
    ? { flags: answer.added, yes: ['new', 'new'], no: ['known', 'probably there'] }
    : { flags: answer.mightContain, yes: ['maybe', 'maybe'], no: ['no', 'certainly not'] };
  const count = verb === 'add' ? answer.addedCount : answer.mightContainCount;
  const caption = verb === 'add'
    ? `${number(count)} of ${number(elements.length)} were new.`
    : `${number(count)} of ${number(elements.length)} might be contained.`;
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
