// The typed elements, for one filter or for several.

import { Problem } from './api.js';
import { choice } from './fields.js';
import { html } from './lit.js';
import { typed } from './state.js';

const ENCODINGS = [['utf-8', 'text'], ['base64', 'base64'], ['hex', 'hex']];

export const elements = () => typed.text.split('\n').map((line) => line.replace(/\r$/, '')).filter(Boolean);

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
