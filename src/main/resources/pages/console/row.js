// A row of the list: a filter, or a folder of filters.

import { box } from './chosen.js';
import { badges, bar, summaryOf, isAboveTarget, limit, share } from './condition.js';
import { html, nothing } from './lit.js';
import { bytes, counted, fromNow, number, rateWords, significant } from './numbers.js';
import { paceOf } from './pace.js';
import { addressOf, showRows, state } from './state.js';
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

/** Empty until it is known. */
const paceWords = (pace) => (pace === null ? '' : significant(pace, 2));

/** On small screens, a second line replaces columns. */
const more = (filter, its) => (its.rate === null ? nothing : html`<small class="more"><span class="count">${
  its.held === null ? 'saturated' : number(its.held)} of ${number(its.capacity)} · </span>${
  rateWords(its.rate, its.target)} false positives · ${bytes(filter.sizeBytes)}${
  paceOf(filter) ? ` · ${paceWords(paceOf(filter))} new/s` : ''}${
  its.expiresAt ? ` · expires ${fromNow(its.expiresAt)}` : ''}</small>`);

const kind = (its) => (its.window?.seconds ? html`${its.kind} <small>${lengthOf(its.window)}</small>` : its.kind);

/** The box that chooses the filters of a row. */
const choice = (name, filters) => (state.rows.chosen ? html`<td class="choose">${box(`Choose ${name}`, filters)}</td>` : nothing);

/** The indentation of a row, up to five levels. */
const level = (depth) => `level-${Math.min(depth, 5)}`;

/** @param start the part of its name that its folder has */
export function filterRow({ filter, depth = 0, start = 0 }) {
  const its = summaryOf(filter);
  const isWhole = filter.state === 'ready';
  return html`
    <tr data-name=${filter.name}>
      ${choice(filter.name, [filter])}
      <th scope="row" class=${level(depth)}><a class="name" href=${addressOf(filter.name)} title=${filter.name}><span class="hidden">${
        filter.name.slice(0, start)}</span>${filter.name.slice(start)}</a>${isWhole ? more(filter, its) : nothing}</th>
      <td class="kind">${isWhole ? kind(its) : ''}</td>
      <td class="figures-cell">${isWhole ? elements(its) : 'Part of the filter is missing in Redis'}</td>
      <td class="rate">${isWhole ? rate(its) : ''}</td>
      <td class="pace">${paceWords(paceOf(filter))}</td>
      <td class="size">${isWhole ? bytes(filter.sizeBytes) : ''}</td>
      <td class="expiry">${isWhole ? expiry(its) : ''}</td>
      <td class="badges">${badges(filter).map(badge)}</td>
    </tr>`;
}

const sum = (numbers) => numbers.reduce((all, each) => all + (each ?? 0), 0);

/** The most urgent state of some filters, with their number. */
function worst(filters) {
  const kinds = filters.map((filter) => badges(filter)[0][0]).filter((kind) => kind !== 'ready');
  const isUrgent = kinds.some((kind) => kind !== 'creating');
  return kinds.length === 0 ? ['ready', 'ready'] : [isUrgent ? 'damaged' : 'creating', `${number(kinds.length)} not ready`];
}

function toggle(folder) {
  const open = new Set(state.rows.open);
  if (!open.delete(folder)) {
    open.add(folder);
  }
  showRows({ open });
}

export function folderRow({ folder, filters, depth, start, isOpen }) {
  const all = filters.map(summaryOf);
  const pace = filters.some((filter) => paceOf(filter) !== null) ? sum(filters.map(paceOf)) : null;
  const count = counted(filters.length, 'filter');
  const size = bytes(sum(filters.map(({ sizeBytes }) => sizeBytes)));
  return html`
    <tr data-folder=${folder}>
      ${choice(folder, filters)}
      <th scope="row" class=${level(depth)}>
        <button type="button" class="folder" aria-expanded=${isOpen} title=${folder} @click=${() => toggle(folder)}><span class="hidden">${
          folder.slice(0, start)}</span>${folder.slice(start)} <small>${count}</small></button>
        <small class="more">${size}</small>
      </th>
      <td class="kind"></td>
      <td class="figures-cell">${number(sum(all.map(({ held }) => held)))}</td>
      <td class="rate"></td>
      <td class="pace">${paceWords(pace)}</td>
      <td class="size">${size}</td>
      <td class="expiry"></td>
      <td class="badges">${badge(worst(filters))}</td>
    </tr>`;
}
