// The typed elements, for one filter or for several.

import { Problem } from './api.js';
import { choice } from './fields.js';
import { html } from './lit.js';
import { typed } from './state.js';

const ENCODINGS = [['utf-8', 'text'], ['base64', 'base64'], ['hex', 'hex']];

/** What is typed for one filter would be read wrongly for the next. */
export function forgetEncoding() {
  if (typed.encoding !== 'utf-8') {
    Object.assign(typed, { encoding: 'utf-8', text: '' });
  }
}

const lines = () => typed.text.split('\n').map((line) => line.replace(/\r$/, ''));

export const elements = () => lines().filter(Boolean);

/** The number of the line, counted from 1, with an element. Empty lines are not sent. */
const lineOf = (written, index) => written.map((line, at) => line && at + 1).filter(Boolean)[index];

/** Waits for an answer. A problem with an element then names its line. */
export async function byLine(answer) {
  const written = lines();
  try {
    return await answer;
  } catch (problem) {
    problem.message = problem.message.replace(/The element at index (\d+)/, (all, index) => `Line ${lineOf(written, index)}`);
    throw problem;
  }
}

/** The elements; at least one is required. */
export function someElements() {
  const some = elements();
  if (some.length === 0) {
    throw new Problem('No elements to send', 'Enter one element per line.');
  }
  return some;
}

export const elementsField = () => html`
  <div class="field">
    <label for="text">Elements, one per line</label>
    <textarea id="text" rows="8" spellcheck="false" autocapitalize="none" required .value=${typed.text}></textarea>
  </div>`;

export const encodingChoice = () => html`
  <label class="inline" for="encoding">as</label>
  ${choice('encoding', ENCODINGS)}`;
