// The whole page.

import { creationCard } from './creation.js';
import { described } from './described.js';
import { dialog } from './dialog.js';
import { keyButton, signInPage } from './key.js';
import { listing } from './listing.js';
import { html, keyed, nothing } from './lit.js';
import { who } from './overview.js';
import { outcome } from './parts.js';
import { severalCard } from './several.js';
import { state } from './state.js';
import { transfer } from './transfer.js';

/** The browser does not send the key when a link is followed. */
const needsKey = () => state.signIn || (state.overview && state.overview.key.id !== 'local');

/** False if they are on another port. */
const hasHealth = () => state.overview?.servesHealth !== false;

const header = () => html`
  <header class="top">
    <a class="brand" href="#"><span class="logo" aria-hidden="true"></span>Bloomgate</a>
    <nav aria-label="Links">
      <a href="q/swagger-ui/">API</a>
      <a href="q/openapi?format=json">OpenAPI</a>
      ${hasHealth() && !needsKey() ? html`<a href="q/metrics">Metrics</a>` : nothing}
      ${hasHealth() ? html`<a href="q/health">Health</a>` : nothing}
    </nav>
    <div class="who">
      <span id="who" class=${state.overview?.key.id === 'local' ? 'local' : nothing}>${state.signIn ? '' : who()}</span>
      ${keyButton()}
    </div>
  </header>`;

const warnings = () => state.overview?.warnings ?? [];

/** The last announcement, which is repeated if it is set again. */
const status = () => html`
  <p id="connection" class="connection" role="status" ?hidden=${!state.connection}>${state.connection}</p>
  <div id="warnings" class="connection" role="status" aria-label="Warnings about Redis" ?hidden=${warnings().length === 0}>
    <ul>${warnings().map((sentence) => html`<li>${sentence}</li>`)}</ul>
  </div>
  <p id="status" class="hidden" role="status">${keyed(state.said, state.said.text)}</p>`;

const VIEWS = { list: listing, creation: creationCard, several: severalCard, described };

/** @param onOtherKey called when the key is changed or removed */
export const page = (onOtherKey) => html`
  <div data-roles=${state.overview?.key.roles.join(' ') ?? nothing}>
    <a class="skip" href="#main">Skip to content</a>
    ${header()}
    <main id="main" tabindex="-1">
      ${status()}
      ${outcome(null)}
      ${state.asked ? nothing : transfer()}
      ${state.signIn ? signInPage(onOtherKey) : VIEWS[state.view]()}
    </main>
    ${dialog()}
  </div>`;
