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

const header = () => html`
  <header class="top">
    <a class="brand" href="#"><span class="logo" aria-hidden="true"></span>Bloomgate</a>
    <nav aria-label="Links">
      <a href="q/swagger-ui/">API</a>
      <a href="q/openapi?format=json">OpenAPI</a>
      ${needsKey() ? nothing : html`<a href="q/metrics">Metrics</a>`}
      <a href="q/health">Health</a>
    </nav>
    <div class="who">
      <span id="who">${state.signIn ? '' : who()}</span>
      ${keyButton()}
    </div>
  </header>`;

/** The last announcement, which is repeated if it is set again. */
const status = () => html`
  <p id="connection" class="connection" role="status" ?hidden=${!state.connection}>${state.connection}</p>
  <ul id="warnings" class="connection" role="status" aria-label="Warnings about Redis" ?hidden=${state.warnings.length === 0}>
    ${state.warnings.map((sentence) => html`<li>${sentence}</li>`)}
  </ul>
  <p id="status" class="hidden" role="status">${keyed(state.said, state.said.text)}</p>`;

const VIEWS = { list: listing, creation: creationCard, several: severalCard, described };

/** @param onOtherKey called when the key is changed or removed */
export const page = (onOtherKey) => html`
  <div data-role=${state.overview?.key.role ?? nothing}>
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
