// The page as a whole.

import { wordsOf } from './attempt.js';
import { creationCard } from './creation.js';
import { described } from './described.js';
import { dialog } from './dialog.js';
import { keyButton, keyDialog } from './key.js';
import { listing } from './listing.js';
import { html, keyed, nothing } from './lit.js';
import { totals, who } from './overview.js';
import { note } from './parts.js';
import { state, update } from './state.js';
import { transfer } from './transfer.js';

const header = () => html`
  <header class="top">
    <p class="brand"><span class="logo" aria-hidden="true"></span>Bloomgate</p>
    <nav aria-label="Links">
      <a href="q/swagger-ui/">API</a>
      <a href="q/openapi?format=json">OpenAPI</a>
      <a href="q/metrics">Metrics</a>
      <a href="q/health">Health</a>
    </nav>
    <div class="who">
      <span id="who">${who()}</span>
      ${keyButton()}
    </div>
  </header>`;

const problem = () => html`
  <div id="problem" class="problem" role="alert" ?hidden=${!state.problem}>
    <div>
      <strong data-title>${state.problem && (state.problem.title ?? 'This page failed')}</strong>
      <p data-detail>${state.problem && wordsOf(state.problem)}</p>
    </div>
    <button type="button" class="quiet" data-close aria-label="Dismiss the message" @click=${() => update({ problem: null })}>×</button>
  </div>`;

/** What is said stays until something else is said, and is said again if it is the same. */
const status = () => html`
  <p id="connection" class="connection" role="status" ?hidden=${!state.connection}>${state.connection}</p>
  <ul id="warnings" class="connection" role="status" aria-label="Warnings about Redis" ?hidden=${state.warnings.length === 0}>
    ${state.warnings.map((sentence) => html`<li>${sentence}</li>`)}
  </ul>
  <p id="status" class="hidden" role="status">${keyed(state.said, state.said.text)}</p>`;

const welcome = () => html`
  <section id="welcome" class="card" aria-labelledby="welcome-heading" ?hidden=${state.view !== 'welcome'}>
    <h2 id="welcome-heading">What a filter answers</h2>
    <p><b class="no">Certainly not</b>: the element was never added. This is never wrong.</p>
    <p><b class="maybe">Maybe</b>: it was probably added. A few strangers, which never were, are let through with the
      others; how few is promised when the filter is created.</p>
    <p class="note">Choose a filter to see what it holds, or create one.</p>
  </section>`;

/** @param onOtherKey is called once there is another key, or none */
export const page = (onOtherKey) => html`
  <div data-role=${state.overview?.key.role ?? nothing}>
    <a class="skip" href="#filters">Skip to the filters</a>
    ${header()}
    <main>
      <h1 class="hidden">Filters of this service</h1>
      ${problem()}
      ${status()}
      ${transfer()}
      <div id="columns" class="columns" data-view=${state.view}>
        ${totals()}
        ${listing()}
        <div class="detail">
          <a class="up" href="#">← All filters</a>
          ${welcome()}
          ${creationCard(state.view !== 'creation')}
          ${described()}
        </div>
      </div>
    </main>
    ${dialog()}
    ${keyDialog(onOtherKey)}
  </div>`;
