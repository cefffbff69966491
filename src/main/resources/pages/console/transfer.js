// Uploads and downloads with their progress. One runs at a time, and a click cancels it.

import { address, answerOf, headers, key, noAnswer, Problem } from './api.js';
import { html } from './lit.js';
import { bytes, fromNow, percent } from './numbers.js';
import { say, state, update } from './state.js';

/** The time between two updates of the progress, in milliseconds. */
const PAUSE = 500;

let cancel = null;

/** A cancelled transfer. The message says whether any of it remains. */
export class Cancelled extends Error {}

/** Shows the progress of a transfer while `work` runs. `work` gets a function that records the progress. */
async function shown(label, work) {
  if (cancel) {
    throw new Problem('Another file is being transferred', 'Wait until it is done, or cancel it.');
  }
  const begun = performance.now();
  let [done, total] = [0, 0];
  const show = () => {
    const speed = done / Math.max(0.001, (performance.now() - begun) / 1000);
    update({ transfer: { label, done, total, text: inWords(label, done, total, speed) } });
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

function inWords(label, done, total, speed) {
  if (total && done >= total) {
    return `${label}: all ${bytes(total)} were sent; the service is processing the rest.`;
  }
  return [
    `${label}: ${bytes(done)}${total ? ` of ${bytes(total)}, ${percent(done / total)}` : ''}`,
    `${bytes(speed)} a second`,
    total && done > 0 && `ready ${fromNow(Date.now() + (1000 * (total - done)) / speed)}`,
  ].filter(Boolean).join(', ');
}

/** Uploads a file without holding it in memory. Throws a Problem, or Cancelled, whose message ends with `left`. */
export function upload(request, file, left = 'Nothing was changed.') {
  return shown(file.name, (note) => new Promise((resolve, reject) => {
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
  return shown(request.saveAs, async (note) => {
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
  const { label, done, total, text } = state.transfer ?? {};
  return html`
    <div id="transfer" class="card transfer" role="group" aria-labelledby="transfer-label" ?hidden=${!state.transfer}>
      <span id="transfer-label" class="hidden">${label}</span>
      <progress id="transfer-bar" aria-labelledby="transfer-label" max=${total || 1} value=${done ?? 0}></progress>
      <p id="transfer-text" class="hint">${text}</p>
      <button type="button" id="transfer-cancel" @click=${() => cancel?.()}>Cancel</button>
    </div>`;
}

window.addEventListener('beforeunload', (event) => {
  if (cancel) {
    event.preventDefault();
  }
});
