// The same on a command line, with the key in a variable: it is shown nowhere.

import { address, key } from './api.js';
import { $, attempt, element, fill, say } from './page.js';

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** The line for a request; `file` is the name of what it sends, `saveAs` of what it gets. */
export function curl(request) {
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

/** Shows the line in a place that is made for it, with a button that copies it; nothing for null. */
export function showCurl(id, request, label = 'The same by curl') {
  const place = $(id);
  place.hidden = !request;
  if (!request) {
    return;
  }
  const line = curl(request);
  if (place.querySelector('code')?.textContent === line) {
    return;
  }
  const code = element('code', '', line);
  code.tabIndex = 0;
  code.setAttribute('role', 'group');
  code.setAttribute('aria-label', label);
  const button = element('button', '', 'Copy');
  button.type = 'button';
  button.setAttribute('aria-label', 'Copy the curl line');
  button.addEventListener('click', () => attempt(async () => {
    await copy(code);
    say('The line is copied.');
    button.textContent = 'Copied';
  }));
  fill(place, element('span', 'hint', label), code, button);
}

/** Without TLS a browser gives the clipboard to what is marked only. */
async function copy(code) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(code.textContent);
    return;
  }
  getSelection().selectAllChildren(code);
  document.execCommand('copy');
}
