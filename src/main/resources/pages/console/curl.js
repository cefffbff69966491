// The same on a command line, with the key in a variable: it is shown nowhere.

import { address, key } from './api.js';
import { attempt } from './attempt.js';
import { html, nothing } from './lit.js';
import { $, say } from './state.js';

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** The line for a request; `file` is the name of what it sends, `saveAs` of what it gets. */
function curl(request) {
  const { method, body, file, type, saveAs } = request;
  const words = ['curl'];
  if (method !== 'GET' && !(method === 'PUT' && file)) {
    words.push('-X', method);
  }
  if (key.get()) {
    words.push('-H', '"Authorization: Bearer $BLOOMGATE_KEY"');
  }
  if (body) {
    words.push('-H', quoted('Content-Type: application/json'), '-d', quoted(JSON.stringify(body)));
  }
  if (file) {
    words.push('-H', quoted(`Content-Type: ${type}`), '-T', quoted(file));
  }
  if (saveAs) {
    words.push('-o', quoted(saveAs));
  }
  return [...words, quoted(address(request).href)].join(' ');
}

/** The line that was copied last. */
let copied = null;

/** Shows the line with a button that copies it; nothing for no request. */
export function command(id, request, { label = 'The same by curl', needs } = {}) {
  const line = request && curl(request);
  return html`
    <div id=${id} class="command" data-needs=${needs ?? nothing} ?hidden=${!request}>${request ? html`
      <span class="hint">${label}</span>
      <code tabindex="0" role="group" aria-label=${label}>${line}</code>
      <button type="button" aria-label="Copy the curl line" @click=${() => attempt(() => copy(id, line))}>
        ${copied === line ? 'Copied' : 'Copy'}</button>` : nothing}
    </div>`;
}

/** Without TLS a browser gives the clipboard to what is marked only. */
async function copy(id, line) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(line);
  } else {
    getSelection().selectAllChildren($(id).querySelector('code'));
    document.execCommand('copy');
  }
  copied = line;
  say('The line is copied.');
}
