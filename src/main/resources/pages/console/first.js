// The first three steps, on a service without filters.

import { call, creates, PATHS, send } from './api.js';
import { noteExact } from './exact.js';
import { html, nothing } from './lit.js';
import { list } from './list.js';
import { outcome, sends, submit } from './parts.js';
import { $, addressOf, state, typed, update } from './state.js';

Object.assign(typed, { 'first-name': 'users', 'first-element': 'alice', 'first-test': 'alice' });

const fieldIn = (form) => form.querySelector('input');

async function createFirst() {
  const name = typed['first-name'].trim();
  const body = { expectedInsertions: 100_000, falsePositiveProbability: 0.01 };
  const isNew = await creates({ method: 'PUT', path: PATHS.filter, name, body });
  update({ first: { step: 1, name, isNew } });
  // The field of this step is off now, and would lose the focus.
  fieldIn($('first-add')).focus();
  await list();
}

const elements = (id) => ({ name: state.first.name, body: { elements: [typed[id]] } });

async function addFirst() {
  await send({ method: 'POST', path: PATHS.add, ...elements('first-element') });
  update({ first: { ...state.first, step: Math.max(2, state.first.step), added: typed['first-element'], tested: null } });
  fieldIn($('first-ask')).focus();
  noteExact(await call('GET', PATHS.filter, { name: state.first.name }));
  update();
}

async function testFirst() {
  const { mightContain: [isMaybe] } = await send({ method: 'POST', path: PATHS.test, ...elements('first-test') });
  update({ first: { ...state.first, step: 3, tested: { isMaybe, element: typed['first-test'] } } });
}

function step(number, { id, title, text, input, label, word, work, answer }) {
  const isOff = state.first.step < number - 1 || (number === 1 && state.first.step > 0);
  return html`
    <li class="card" aria-current=${state.first.step === number - 1 ? 'step' : nothing}>
      <h2>${number}. ${title}</h2>
      <p class="note">${text}</p>
      <form id=${id} @submit=${sends(work)}>
        <label for=${input}>${label}</label>
        <div class="joined">
          <input id=${input} .value=${typed[input]} ?disabled=${isOff} required autocomplete="off" autocapitalize="none" spellcheck="false">
          ${submit(id, word, { kind: 'primary', isOff })}
        </div>
        <p class="hint" aria-live="polite">${answer}</p>
        ${outcome(id)}
      </form>
    </li>`;
}

function tested({ isMaybe, element }) {
  return isMaybe
    ? html`<b class="maybe">Maybe</b>: “${element}” was added, or this is a false positive (at most 1\u00a0%).`
    : html`<b class="no">Certainly not</b>: “${element}” was never added.`;
}

export function firstSteps() {
  const { name, isNew, added, tested: answer, step: done } = state.first;
  return html`
    <ol id="first-steps" class="steps" data-needs="admin">
      ${step(1, {
        id: 'first-create', title: 'Create a filter', text: 'Holds 100,000 elements of any length in 117 KiB.',
        input: 'first-name', label: 'Name', word: 'Create', work: createFirst,
        answer: done > 0 ? html`<a href=${addressOf(name)}>${name}</a> ${isNew ? 'was created' : 'already existed'}.` : '',
      })}
      ${step(2, {
        id: 'first-add', title: 'Add an element', text: 'A user name, a URL, a coupon: any text or bytes.',
        input: 'first-element', label: 'Element', word: 'Add', work: addFirst, answer: added ? `“${added}” was added.` : '',
      })}
      ${step(3, {
        id: 'first-ask', title: 'Test an element', text: 'Test the element you added, then another one.',
        input: 'first-test', label: 'Element', word: 'Test', work: testFirst, answer: answer ? tested(answer) : '',
      })}
    </ol>
    <p class="note" data-lacks="admin">There are no filters yet. Creating one requires a key with the admin role.</p>`;
}
