// The meaning of answers about elements.

import { html } from './lit.js';
import { number } from './numbers.js';

/** The most elements shown; more would make the page slow. */
export const SHOWN = 200;

function times(count, most) {
  if (count >= most) {
    return `${number(most)} times or more`;
  }
  return `at most ${count === 1 ? 'once' : `${number(count)} times`}`;
}

/** The meaning of both answers. */
const MEANING = '“Certainly not” is never wrong; “maybe” can be a false positive.';

export const numberOf = (flags) => number(flags.filter(Boolean).length);

/** A class and a word for each element, and a summary of all. */
const READERS = {
  add: ({ added }) => ({
    words: added.map((isNew) => (isNew ? ['new', 'new'] : ['known', 'already there, or a false positive'])),
    caption: `${numberOf(added)} of ${number(added.length)} were new.`,
  }),
  test: ({ mightContain }) => ({
    words: mightContain.map((isMaybe) => (isMaybe ? ['maybe', 'maybe'] : ['no', 'certainly not'])),
    caption: `${numberOf(mightContain)} of ${number(mightContain.length)} may be in the filter. ${MEANING}`,
  }),
  count: ({ counts, countsUpTo }) => ({
    words: counts.map((count) => (count > 0 ? ['maybe', `maybe, ${times(count, countsUpTo)}`] : ['no', 'certainly not'])),
    caption: `${numberOf(counts)} of ${number(counts.length)} may be in the filter. ${MEANING}`,
  }),
  remove: ({ removed }) => ({
    words: removed.map((was) => (was ? ['known', 'removed'] : ['no', 'was not there'])),
    caption: `${numberOf(removed)} of ${number(removed.length)} were removed: one add of each was undone.`,
  }),
};

export function answerTable({ elements, called, answer }) {
  const { words, caption } = READERS[called](answer);
  return html`
    <table class="answers">
      <caption>${caption}${elements.length > SHOWN ? ` Only the first ${SHOWN} are shown.` : ''}</caption>
      <tbody>${elements.slice(0, SHOWN).map((text, index) => html`
        <tr><td>${text}</td><td class=${words[index][0]}>${words[index][1]}</td></tr>`)}</tbody>
    </table>`;
}
