// A filter as a row of the list.

import { badges, bar, summaryOf, isAboveTarget, limit, share } from './condition.js';
import { html, nothing } from './lit.js';
import { bytes, fromNow, number, rateWords } from './numbers.js';
import { addressOf } from './state.js';
import { lengthOf } from './window.js';

const badge = ([kind, text]) => html`<span class="badge ${kind}">${text}</span>`;

function elements(its) {
  if (!its.isKnown) {
    return its.capacity == null ? '' : html`<span>for ${number(its.capacity)}</span>`;
  }
  const count = its.held === null ? 'saturated' : number(its.held);
  return html`<div class="level">${bar(share(its), limit(its))}<span><b>${count}</b> of ${number(its.capacity)}</span></div>`;
}

const rate = (its) => (its.rate === null ? nothing : html`<b class=${isAboveTarget(its) ? 'over' : nothing}>${
  rateWords(its.rate, its.target)}</b> <small>target ${rateWords(its.target)}</small>`);

const expiry = ({ expiresAt }) => (expiresAt ? fromNow(expiresAt) : 'never');

/** On small screens, a second line replaces columns. */
const more = (filter, its) => (its.rate === null ? nothing : html`<small class="more"><span class="count">${
  its.held === null ? 'saturated' : number(its.held)} of ${number(its.capacity)} · </span>${
  rateWords(its.rate, its.target)} false positives · ${bytes(filter.sizeBytes)}${
  its.expiresAt ? ` · expires ${fromNow(its.expiresAt)}` : ''}</small>`);

const kind = (its) => (its.window?.seconds ? html`${its.kind} <small>${lengthOf(its.window)}</small>` : its.kind);

export function row(filter) {
  const its = summaryOf(filter);
  const isWhole = filter.state === 'ready';
  return html`
    <tr data-name=${filter.name}>
      <th scope="row"><a class="name" href=${addressOf(filter.name)} title=${filter.name}>${filter.name}</a>${isWhole ? more(filter, its) : nothing}</th>
      <td class="kind">${isWhole ? kind(its) : ''}</td>
      <td class="figures-cell">${isWhole ? elements(its) : 'Part of the filter is missing in Redis'}</td>
      <td class="number rate">${isWhole ? rate(its) : ''}</td>
      <td class="number memory">${isWhole ? bytes(filter.sizeBytes) : ''}</td>
      <td class="number expiry">${isWhole ? expiry(its) : ''}</td>
      <td class="badges">${badges(filter).map(badge)}</td>
    </tr>`;
}
