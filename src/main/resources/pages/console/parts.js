// Small parts that several views share.

import { attempt, wordsOf } from './attempt.js';
import { html, nothing } from './lit.js';
import { state, update } from './state.js';

/** A number with a name and an explanation. With the class `wide`, it has its own line. */
export const figure = (label, value, explanation, kind = nothing) => html`<div class=${kind}>
  <dt>${label}</dt>
  <dd>${value}${explanation ? html`<small>${explanation}</small>` : nothing}</dd>
</div>`;

const dismissal = html`
  <button type="button" class="quiet" data-close aria-label="Dismiss the message" @click=${() => update({ outcome: null })}>×</button>`;

/** The outcome of a button or a form, drawn next to it. */
export function outcome(at) {
  const { problem, text } = state.outcome?.at === at ? state.outcome : {};
  if (problem) {
    return html`
      <div id="outcome" class="outcome problem" role="alert">
        <div>
          <strong data-title>${problem.title ?? 'The page failed'}</strong>
          <p data-detail>${wordsOf(problem)}</p>
        </div>
        ${dismissal}
      </div>`;
  }
  return text ? html`<div id="outcome" class="outcome done"><p>${text}</p>${dismissal}</div>` : nothing;
}

/** A button that runs one action at a time. */
export const button = (id, label, work, { kind, needs, isOff = false, isHidden = false } = {}) => html`
  <button type="button" id=${id} class=${kind ?? nothing} data-needs=${needs ?? nothing} ?hidden=${isHidden}
    ?disabled=${isOff || state.busy.has(id)} @click=${(event) => attempt(work, id, event.currentTarget)}>${label}</button>
  ${outcome(id)}`;

/** A button that submits a form. Only one request is in progress at a time. */
export const submit = (form, label, { id, kind, value, needs, isOff = false } = {}) => html`
  <button type="submit" id=${id ?? nothing} class=${kind ?? nothing} value=${value ?? nothing} data-needs=${needs ?? nothing}
    ?disabled=${isOff || state.busy.has(form)}>${label}</button>`;

/** Handles the submission of a form. The action gets the button that was clicked. */
export const sends = (work) => (event) => {
  event.preventDefault();
  attempt(() => work(event.submitter), event.currentTarget.id, event.submitter);
};

/** A paragraph that is hidden while it is empty. */
export const note = (id, kind, text) => html`<p id=${id} class=${kind} ?hidden=${!text}>${text ?? ''}</p>`;
