// Uploads and downloads with their progress. One runs at a time, and a click cancels it.

import { address, answerOf, headers, key, noAnswer, Problem } from './api.js';
import { html, nothing } from './lit.js';
import { bytes, counted, fromNow, number, percent } from './numbers.js';
import { say, state, update } from './state.js';

/** The time between two updates of the progress, in milliseconds. */
const PAUSE = 500;

let cancel = null;

/** A cancelled transfer. The message says whether any of it remains. */
export class Cancelled extends Error {}

function requireNoOther() {
  if (cancel) {
    throw new Problem('Another transfer is running', 'Wait until it is done, or cancel it.');
  }
}

/**
 * How far the service is with the content of a filter; undefined if this is not known. A request
 * may be with another instance than the polls.
 */
const progressOf = (filter) => state.overview?.operations?.find((operation) => operation.filter === filter);

/** How much of the content of a filter the service has written, or about how many elements it has so far. */
function written(filter) {
  const { doneBytes, totalBytes } = progressOf(filter) ?? {};
  if (totalBytes) {
    return `${percent(doneBytes / totalBytes)}, ${bytes(doneBytes)} of ${bytes(totalBytes)} written`;
  }
  const held = state.filter?.rebuild?.approximateElementCount;
  return held && `about ${number(held)} elements so far`;
}

/**
 * Shows the progress of a transfer while `work` runs. `work` gets a function that records the progress.
 *
 * @param filter the filter that gets what is transferred; undefined for none
 */
async function shown(label, filter, work) {
  requireNoOther();
  const begun = performance.now();
  let [done, total] = [0, 0];
  const show = () => {
    const speed = done / Math.max(0.001, (performance.now() - begun) / 1000);
    update({ transfer: { label, filter, done, total, text: inWords(label, filter, done, total, speed) } });
  };
  say(`${label} is being transferred.`);
  show();
  const timer = setInterval(show, PAUSE);
  try {
    return await work((now, all) => ([done, total] = [now, all]));
  } finally {
    clearInterval(timer);
    cancel = null;
    update({ transfer: null });
  }
}

/**
 * Does something with one item after the other, until all are done or a click stops it.
 *
 * @return the number of items that are done
 */
export async function eachOf(items, work) {
  requireNoOther();
  let isStopped = false;
  cancel = () => {
    isStopped = true;
  };
  try {
    for (const [done, item] of items.entries()) {
      if (isStopped) {
        return done;
      }
      update({ transfer: { label: 'Progress', done, total: items.length, text: `${number(done)} of ${number(items.length)} done` } });
      await work(item);
    }
    return items.length;
  } finally {
    cancel = null;
    update({ transfer: null });
  }
}

function inWords(label, filter, done, total, speed) {
  if (total && done >= total) {
    return `${[`${label}: all ${bytes(total)} were sent; the service is processing them`, written(filter)].filter(Boolean).join(', ')}.`;
  }
  return [
    `${label}: ${bytes(done)}${total ? ` of ${bytes(total)}, ${percent(done / total)}` : ''}`,
    `${bytes(speed)} a second`,
    total && done > 0 && `ready ${fromNow(Date.now() + (1000 * (total - done)) / speed)}`,
  ].filter(Boolean).join(', ');
}

/**
 * Shows that the service is working on a request, for how long, and how far it is.
 *
 * @param filter the filter that gets the content
 */
export async function working(label, filter, answer) {
  const begun = performance.now();
  const show = () => update({ transfer: { label, filter, text: [
    `${label}: ${counted(Math.round((performance.now() - begun) / 1000), 'second')}`, written(filter)].filter(Boolean).join(', ') } });
  // Most requests are answered before.
  const timer = setInterval(show, PAUSE);
  try {
    return await answer;
  } finally {
    clearInterval(timer);
    update({ transfer: null });
  }
}

/** Uploads a file without holding it in memory. Throws a Problem, or Cancelled, whose message ends with `left`. */
export function upload(request, file, left = 'Nothing was changed.') {
  return shown(file.name, request.name, (note) => new Promise((resolve, reject) => {
    const exchange = new XMLHttpRequest();
    exchange.open(request.method, address(request));
    for (const [header, value] of Object.entries(headers(request))) {
      exchange.setRequestHeader(header, value);
    }
    exchange.upload.addEventListener('progress', ({ loaded, total }) => note(loaded, total));
    exchange.addEventListener('load', () => {
      try {
        resolve(answerOf(exchange.status, exchange.responseText));
      } catch (problem) {
        reject(problem);
      }
    });
    exchange.addEventListener('error', () => reject(noAnswer()));
    exchange.addEventListener('abort', () => reject(new Cancelled(`Cancelled. ${left}`)));
    cancel = () => exchange.abort();
    exchange.send(file);
  }));
}

/** Downloads a file, which the browser saves. */
export function download(request) {
  return shown(request.saveAs, undefined, async (note) => {
    const stop = new AbortController();
    cancel = () => stop.abort();
    try {
      const authorization = key.get() && { authorization: `Bearer ${key.get()}` };
      const response = await fetch(address(request), { signal: stop.signal, headers: { ...authorization } });
      if (!response.ok) {
        answerOf(response.status, await response.text());
      }
      save(await whole(response, note), request.saveAs);
    } catch (problem) {
      throw stop.signal.aborted ? new Cancelled('Cancelled.') : problem instanceof Problem ? problem : noAnswer();
    }
  });
}

async function whole(response, note) {
  const total = Number(response.headers.get('content-length') ?? 0);
  const parts = [];
  let done = 0;
  const reader = response.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    done += part.value.length;
    note(done, total);
  }
  return new Blob(parts, { type: 'application/octet-stream' });
}

function save(content, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

export function transfer() {
  const { label, filter, done, total, text } = state.transfer ?? {};
  const isSent = state.transfer && (done === undefined || (total && done >= total));
  const { doneBytes, totalBytes } = isSent ? progressOf(filter) ?? {} : { doneBytes: done ?? 0, totalBytes: total };
  return html`
    <div id="transfer" class="card transfer" role="group" aria-labelledby="transfer-label" ?hidden=${!state.transfer}>
      <span id="transfer-label" class="hidden">${label}</span>
      <progress id="transfer-bar" aria-labelledby="transfer-label" max=${totalBytes || 1} value=${doneBytes ?? nothing}></progress>
      <p id="transfer-text" class="hint">${text}</p>
      <button type="button" id="transfer-cancel" ?hidden=${done === undefined} @click=${() => cancel?.()}>Cancel</button>
    </div>`;
}

window.addEventListener('beforeunload', (event) => {
  if (cancel) {
    event.preventDefault();
  }
});
