// Testing, adding and removing the typed elements.

import { PATHS, send } from './api.js';
import { answerTable } from './answers.js';
import { command } from './curl.js';
import { byLine, elements as written, elementsField, encodingChoice, someElements } from './elements.js';
import { describe } from './filter.js';
import { html, nothing } from './lit.js';
import { outcome, sends, submit } from './parts.js';
import { state, typed, update } from './state.js';

/** A counting filter also answers how many times. */
const callFor = (verb) => (verb === 'test' && state.filter.counting ? 'count' : verb);

const requestFor = (verb, elements) => ({
  method: 'POST', path: PATHS[callFor(verb)], name: state.name, body: { elements, encoding: typed.encoding },
});

async function ask({ value: verb }) {
  const elements = someElements();
  const { name } = state;
  const called = callFor(verb);
  const answer = await byLine(send(requestFor(verb, elements)));
  update({ answers: { elements, called, answer } });
  if (verb !== 'test') {
    await describe(name);
  }
}

/** The curl command for the same request, if there are elements. */
function line(verb, elements, needs) {
  const request = elements.length > 0 ? requestFor(verb, elements) : null;
  return command(`${verb}-curl`, request, { label: `curl: ${callFor(verb)}`, needs });
}

const nothingYet = html`<p class="note">The result will appear here: <b class="no">certainly not</b> is never wrong, but
  <b class="maybe">maybe</b> can be a false positive.</p>`;

export function askCard(isHidden) {
  const elements = written();
  const counts = Boolean(state.filter.counting);
  return html`
    <section class="card" id="ask" aria-labelledby="ask-heading" ?hidden=${isHidden}>
      <h2 id="ask-heading" class="hidden">Test and add</h2>
      <div class="halves">
        <form id="elements" @submit=${sends((button) => ask(button ?? { value: 'test' }))}>
          ${elementsField()}
          <div class="buttons">
            ${submit('elements', 'Test', { kind: 'primary', value: 'test' })}
            ${submit('elements', 'Add', { value: 'add', needs: 'writer' })}
            <span id="removal" ?hidden=${!counts}>${submit('elements', 'Remove', { value: 'remove', needs: 'writer' })}</span>
            ${encodingChoice()}
            ${outcome('elements')}
          </div>
          <p class="note" data-lacks="writer">Your key can test elements, but not add or load them.</p>
          <p id="removal-note" class="hint" ?hidden=${!counts}>Remove only elements that were added. Removing others can also remove elements that are in the filter.</p>
        </form>
        <div id="answers" aria-live="polite">${state.answers ? answerTable(state.answers) : nothingYet}</div>
      </div>
      ${line('test', elements)}
      ${line('add', elements, 'writer')}
      ${counts ? line('remove', elements, 'writer') : nothing}
    </section>`;
}
