// The API key, which the tab keeps until it is closed, and the sign-in page.

import { key } from './api.js';
import { html, nothing } from './lit.js';
import { $, state, update } from './state.js';

/** Shows only the sign-in page until the user enters a valid key or keeps the current one. */
export function askForKey(reason, { canKeep = false, isWrong = false } = {}) {
  const isOpen = state.signIn !== null;
  update({ signIn: { reason, canKeep, isWrong }, outcome: null });
  if (!isOpen) {
    $('confirm').close();
    $('key').focus();
  }
}

/** The service requires a key, or does not know this one. */
export const refused = () => (key.get()
  ? askForKey('The service does not know this key. Check it, or ask an operator for another.', { isWrong: true })
  : askForKey('This service requires an API key.'));

export const keyButton = () => html`
  <button type="button" id="authorize" ?hidden=${state.signIn || !state.overview || state.overview.key.id === 'local'}
    @click=${() => askForKey('The new key replaces the one in use.', { canKeep: true })}>Change key</button>`;

/** A copied key may contain spaces and invisible characters. */
const readKey = (text) => text.replace(/[\s\p{Cf}]/gu, '');

const NO_KEY = /[^\x21-\x7e]/;

/** @param onOther called when the key is changed or removed */
export function signInPage(onOther) {
  const { reason, canKeep, isWrong } = state.signIn;
  const sent = (event) => {
    event.preventDefault();
    const given = readKey($('key').value);
    $('key').value = '';
    if (NO_KEY.test(given)) {
      askForKey('No key contains such characters. Copy the key again.', { canKeep, isWrong: true });
    } else if (given) {
      key.set(given);
      onOther();
    }
  };
  const forget = () => {
    key.forget();
    onOther();
  };
  return html`
    <section id="sign-in" class="card" aria-labelledby="sign-in-heading">
      <h1 id="sign-in-heading">Sign in</h1>
      <p id="key-text" class=${isWrong ? 'hint wrong' : 'note'} role="status">${reason}</p>
      <form @submit=${sent}>
        <div class="field">
          <label for="key">API key</label>
          <input id="key" type="password" autocomplete="off" autocapitalize="none" spellcheck="false" required>
          <p class="hint">The key is kept until you close this tab.</p>
        </div>
        <div class="buttons">
          <button type="submit" id="use-key" class="primary">Sign in</button>
          ${canKeep ? html`<button type="button" id="forget-key" @click=${forget}>Sign out</button>` : nothing}
          ${canKeep ? html`<button type="button" id="keep-key" @click=${() => update({ signIn: null })}>Cancel</button>` : nothing}
        </div>
      </form>
    </section>`;
}
