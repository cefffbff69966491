// The curl command for a request. The key is in a variable, so that it is never shown.

import { address, key } from './api.js';
import { attempt } from './attempt.js';
import { html, nothing } from './lit.js';
import { $, say } from './state.js';

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** The command for a request, or for one to each of several `names`. `file` is the name of the file it sends, `saveAs` of the file it receives. */
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
  const { names = [request.name] } = request;
  return [...words, ...names.map((name) => quoted(address({ ...request, name }).href))].join(' ');
}

/** The command that was copied last. */
let copied = null;

/** The folded command with a button to copy it; nothing without a request. */
export function command(id, request, { label = 'curl', needs } = {}) {
  const line = request && curl(request);
  return html`
    <details id=${id} class="command" data-needs=${needs ?? nothing} ?hidden=${!request}>
      <summary>${label}</summary>
      ${request ? html`
        <div class="line">
          <code tabindex="0" role="group" aria-label=${label}>${line}</code>
          <button type="button" aria-label="Copy the curl command" @click=${() => attempt(() => copy(id, line), id)}>
            ${copied === line ? 'Copied' : 'Copy'}</button>
        </div>` : nothing}
    </details>`;
}

/** Without TLS, a browser copies only selected text. */
async function copy(id, line) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(line);
  } else {
    getSelection().selectAllChildren($(id).querySelector('code'));
    document.execCommand('copy');
  }
  copied = line;
  say('The command was copied.');
}
