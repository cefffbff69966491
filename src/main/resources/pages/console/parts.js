// Small parts that several views have.

import { attempt } from './attempt.js';
import { html, nothing } from './lit.js';
import { state } from './state.js';

/** A number with its name, and what it means. */
export const figure = (label, value, explanation) => html`<div>
  <dt>${label}</dt>
  <dd>${value}${explanation ? html`<small>${explanation}</small>` : nothing}</dd>
</div>`;

/** A button that does something, once at a time. */
export const button = (id, label, work, { kind, needs, isOff = false, isHidden = false } = {}) => html`
  <button type="button" id=${id} class=${kind ?? nothing} data-needs=${needs ?? nothing} ?hidden=${isHidden}
    ?disabled=${isOff || state.busy.has(id)} @click=${(event) => attempt(work, id, event.currentTarget)}>${label}</button>`;

/** A button that sends a form, which is at work once at a time. */
export const submit = (form, label, { kind, value, needs } = {}) => html`
  <button type="submit" class=${kind ?? nothing} value=${value ?? nothing} data-needs=${needs ?? nothing}
    ?disabled=${state.busy.has(form)}>${label}</button>`;

/** What a form does when it is sent; it is given the button that sent it. */
export const sends = (work) => (event) => {
  event.preventDefault();
  attempt(() => work(event.submitter), event.currentTarget.id, event.submitter);
};

/** Text with a role, which is there while it says something. */
export const note = (id, kind, text) => html`<p id=${id} class=${kind} ?hidden=${!text}>${text ?? ''}</p>`;
