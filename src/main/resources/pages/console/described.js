// The page of one filter: its main figures, and one of its tabs.

import { askCard } from './ask.js';
import { badges, bar, summaryOf, isAboveTarget, limit, share } from './condition.js';
import { idleInWords } from './expiry.js';
import { overviewTab } from './figures.js';
import { html, keyed, nothing } from './lit.js';
import { loadCard } from './load.js';
import { bytes, counted, fromNow, moment, number, percent, rateWords, significant } from './numbers.js';
import { outcome } from './parts.js';
import { rebuildCard } from './rebuild.js';
import { settingsCard } from './settings.js';
import { sourceCard } from './source.js';
import { addressOf, state } from './state.js';
import { lengthOf } from './window.js';

const stat = (id, label, value, explanation, its = nothing) => html`
  <div id=${id}>
    <dt>${label}</dt>
    <dd>${value}${its}<small>${explanation}</small></dd>
  </div>`;

function elementsStat(its, { layers }) {
  const count = its.held === null ? 'saturated' : number(its.held);
  if (layers) {
    return stat('elements-now', 'Elements', count,
      `of ${number(its.capacity)} in ${counted(layers.length, 'layer')}`, bar(share(its), limit(its)));
  }
  const words = its.held === null ? `capacity ${number(its.capacity)}` : its.window
    ? `of ${number(its.capacity)} ${its.window.seconds ? `in ${lengthOf(its.window)}` : 'per window'}`
    : `of ${number(its.capacity)}, ${percent(its.held / its.capacity)}`;
  return stat('elements-now', 'Elements', count, words, bar(share(its), limit(its)));
}

function stats(filter) {
  const its = summaryOf(filter);
  return html`
    <dl class="stats">
      ${stat('rate-now', 'False positives', rateWords(its.rate, its.target), `target ${rateWords(its.target)}`,
        bar(its.rate / its.target, isAboveTarget(its)))}
      ${elementsStat(its, filter)}
      ${stat('size-now', 'Size', bytes(filter.sizeBytes), `${significant(filter.bitSize / its.capacity)} bits per element at capacity`)}
      ${stat('expiry-now', filter.idleSeconds && filter.expiresAt ? 'Expires if idle' : 'Expires',
        filter.expiresAt ? fromNow(filter.expiresAt) : 'never',
        filter.idleSeconds ? idleInWords(filter) : filter.expiresAt ? moment(filter.expiresAt) : '')}
    </dl>`;
}

/** The same as in the list. A lost filter has only one. */
const conditions = (filter, lost) => (lost ? [['damaged', lost.word]] : badges(filter));

const strip = (filter, lost) => html`
  <section class="card strip" aria-labelledby="described-heading">
    <div class="head">
      <h1 id="described-heading" class="name" tabindex="-1">${filter?.name ?? state.name}</h1>
      ${filter ? html`<span id="kind" class="badge kind">${summaryOf(filter).kind}</span>` : nothing}
      ${filter?.template ? html`<span id="is-template" class="badge kind">template</span>` : nothing}
      <span id="state" class="badges">${conditions(filter, lost).map(([kind, word]) => html`<span class="badge ${kind}">${word}</span>`)}</span>
    </div>
    ${lost ? html`<p id="summary" class="note">${lost.text}</p>` : nothing}
    ${filter ? stats(filter) : nothing}
    ${outcome('create')}
  </section>`;

const TITLES = { overview: 'Overview', elements: 'Test and add', load: 'Load', rebuild: 'Rebuild', settings: 'Settings' };

const tabs = () => html`
  <nav id="tabs" class="tabs" aria-label="About this filter">
    ${Object.entries(TITLES).map(([tab, title]) => html`
      <a href=${addressOf(state.name, tab)} aria-current=${tab === state.tab ? 'page' : nothing}>${title}</a>`)}
  </nav>`;

/** The ways to repair a damaged filter. */
const repairs = () => html`
  <section id="repairs" class="card">
    <p class="note">You can <a href=${addressOf(state.name, 'load')}>replace all its elements</a> from a file, or
      <a href=${addressOf(state.name, 'settings')}>import or delete</a> the filter.</p>
  </section>`;

/** The content of each tab. */
const CONTENTS = {
  overview: (filter) => (filter ? overviewTab(filter) : repairs()),
  elements: (filter, isWhole) => (filter ? askCard(!isWhole) : repairs()),
  load: (filter) => loadCard(filter?.rebuild),
  rebuild: (filter) => [rebuildCard(filter?.rebuild, filter?.source?.runningSince), filter ? sourceCard(filter.source) : nothing],
  settings: (filter, isWhole) => settingsCard(filter, isWhole),
};

export function described() {
  const { filter, lost, tab } = state;
  const isWhole = filter?.state === 'ready' && !lost;
  return html`
    <div id="described">
      <a class="up" href="#">← Filters</a>
      ${keyed(state.name, strip(filter, lost))}
      ${tabs()}
      ${CONTENTS[tab](filter, isWhole)}
    </div>`;
}
