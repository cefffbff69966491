'use strict';

// The public calls this page makes; a test compares them with openapi.yaml.
const PATHS = {
  list: '/v1/filters',
  filter: '/v1/filters/{name}',
  add: '/v1/filters/{name}/add',
  test: '/v1/filters/{name}/test',
  expiry: '/v1/filters/{name}/expiry',
  clear: '/v1/filters/{name}/clear',
  elements: '/v1/filters/{name}/elements',
  rebuild: '/v1/filters/{name}/rebuild',
  commit: '/v1/filters/{name}/rebuild/commit',
  sizing: '/v1/sizing',
};

const KEY = 'bloomgate-key';
const PAGE = 50;
const SHOWN_ANSWERS = 200;
const TYPING_PAUSE = 250;
const PROGRESS_POLL = 1000;

const $ = (id) => document.getElementById(id);

let current = null;
let adoptedKey = null;
let cursor = null;
let poll = 0;

// Filters have addresses of their own: no name is taken for the id of an element.
const addressOf = (name) => '#/' + encodeURIComponent(name);

/* ---- Talking to the service ---- */

class Problem extends Error {
  constructor(title, detail) {
    super(detail);
    this.title = title;
  }
}

async function call(method, path, { name, query, body, lines } = {}) {
  const url = new URL(path.replace('{name}', encodeURIComponent(name ?? '')), location.origin);
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value !== '' && value != null) {
      url.searchParams.set(key, value);
    }
  }
  const options = { method, headers: { accept: 'application/json' } };
  const key = sessionStorage.getItem(KEY);
  if (key) {
    options.headers.authorization = `Bearer ${key}`;
  }
  if (body) {
    options.headers['content-type'] = 'application/json';
    options.body = JSON.stringify(body);
  } else if (lines) {
    options.headers['content-type'] = 'text/plain';
    options.body = lines;
  }
  let response;
  try {
    response = await fetch(url, options);
  } catch {
    throw new Problem('The service cannot be reached', 'Check that it runs, then try again.');
  }
  const text = await response.text();
  let answer = null;
  try {
    answer = text ? JSON.parse(text) : null;
  } catch {
    answer = null;
  }
  if (response.status === 401) {
    askForKey(key ? 'The key that was used is not known.' : 'This service asks for an API key.');
  }
  if (!response.ok) {
    throw new Problem(
      answer?.title ?? `The service answered ${response.status}`,
      answer?.detail ?? 'There is no explanation. Look at the log of the service.');
  }
  return answer;
}

/* ---- The API key ---- */

function askForKey(reason) {
  const dialog = $('key-dialog');
  $('key-text').textContent = reason;
  $('key').value = '';
  if (!dialog.open) {
    dialog.returnValue = 'cancel';
    dialog.showModal();
  }
}

/** What was shown with another key is not shown any more. */
function useKey() {
  const choice = $('key-dialog').returnValue;
  const key = $('key').value.trim();
  $('key').value = '';
  if (choice === 'use' && key) {
    sessionStorage.setItem(KEY, key);
  } else if (choice === 'forget') {
    sessionStorage.removeItem(KEY);
  } else {
    return;
  }
  $('rows').replaceChildren();
  attempt(() => list()).then(follow);
}

/* ---- Words for numbers ---- */

const number = (value) => new Intl.NumberFormat('en').format(value);

const significant = (value, digits = 3) =>
  new Intl.NumberFormat('en', { maximumSignificantDigits: digits }).format(value);

function bytes(value) {
  const units = ['bytes', 'KiB', 'MiB', 'GiB'];
  let unit = 0;
  let rest = value;
  while (rest >= 1024 && unit < units.length - 1) {
    rest /= 1024;
    unit += 1;
  }
  return `${significant(rest)} ${units[unit]}`;
}

const percent = (share) => `${significant(share * 100)} %`;

function oneIn(rate) {
  if (rate <= 0) {
    return 'none';
  }
  return rate >= 0.5 ? percent(rate) : `1 in ${significant(1 / rate)}`;
}

function moment(iso) {
  return new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' })
    .format(new Date(iso));
}

function fromNow(iso) {
  const seconds = (new Date(iso) - Date.now()) / 1000;
  const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  for (const [unit, length] of [['day', 86400], ['hour', 3600], ['minute', 60]]) {
    if (Math.abs(seconds) >= length) {
      return words.format(Math.round(seconds / length), unit);
    }
  }
  return words.format(Math.round(seconds), 'second');
}

/** Reads 1,000,000 and 1e6 and 10M; NaN for anything else. */
function readNumber(text) {
  const match = /^([\d.,_ ]+(?:e\d+)?)\s*([kKmMgG]?)$/.exec(text.trim());
  if (!match) {
    return NaN;
  }
  const factor = { k: 1e3, m: 1e6, g: 1e9 }[match[2].toLowerCase()] ?? 1;
  return Math.round(Number(match[1].replace(/[,_ ]/g, '')) * factor);
}

/* ---- Building the page, with text only ---- */

function element(tag, className, ...content) {
  const made = document.createElement(tag);
  if (className) {
    made.className = className;
  }
  made.append(...content);
  return made;
}

function figure(label, value, explanation) {
  const definition = element('dd', '', value);
  if (explanation) {
    definition.append(element('small', '', explanation));
  }
  return element('div', '', element('dt', '', label), definition);
}

function say(text) {
  $('status').textContent = text;
}

function showProblem(problem) {
  const box = $('problem');
  box.querySelector('[data-title]').textContent = problem.title ?? 'This page failed';
  box.querySelector('[data-detail]').textContent = problem.message;
  box.hidden = false;
  box.scrollIntoView({ block: 'nearest' });
}

function hideProblem() {
  $('problem').hidden = true;
}

/** Runs what a click asks for, once at a time for a button, and shows what goes wrong. */
async function attempt(work, button) {
  hideProblem();
  if (button) {
    button.disabled = true;
  }
  try {
    await work();
  } catch (problem) {
    showProblem(problem);
  } finally {
    if (button) {
      button.disabled = false;
    }
  }
}

function show(view) {
  for (const id of ['welcome', 'creation', 'described']) {
    $(id).hidden = id !== view;
  }
}

/* ---- The list ---- */

async function list(more = false) {
  const prefix = $('prefix').value.trim();
  const query = { prefix, limit: PAGE, cursor: more ? cursor : null };
  const page = await call('GET', PATHS.list, { query });
  if (!more) {
    $('rows').replaceChildren();
  }
  $('rows').append(...page.filters.map(row));
  cursor = page.nextCursor;
  $('more').hidden = !cursor;
  const none = $('rows').children.length === 0;
  $('empty').hidden = !none;
  $('empty').textContent = prefix
    ? `No filter begins with “${prefix}”.`
    : 'There is no filter yet. Create the first one.';
  markCurrent();
}

function row(filter) {
  const link = element(
    'a', '', element('span', 'name', filter.name), badge(filter.state), about(filter));
  link.href = addressOf(filter.name);
  link.dataset.name = filter.name;
  return element('li', '', link);
}

function badge(state) {
  return element('span', `badge ${state}`, state);
}

function about(filter) {
  if (filter.state === 'damaged') {
    return element('span', 'about', 'Part of it is missing in Redis');
  }
  const parts = [bytes(filter.sizeBytes), `for ${number(filter.expectedInsertions)} elements`];
  if (filter.expiresAt) {
    parts.push(`vanishes ${fromNow(filter.expiresAt)}`);
  }
  return element('span', 'about', parts.join(' · '));
}

function markCurrent() {
  for (const link of $('rows').querySelectorAll('a')) {
    if (link.dataset.name === current) {
      link.setAttribute('aria-current', 'page');
    } else {
      link.removeAttribute('aria-current');
    }
  }
}

/* ---- A filter ---- */

async function describe(name) {
  clearTimeout(poll);
  const filter = await call('GET', PATHS.filter, { name });
  if (name === current) {
    render(filter);
  }
}

function render(filter) {
  show('described');
  adoptedKey = filter.adopted ? filter.redisKey : null;
  $('described-heading').textContent = filter.name;
  $('state').textContent = filter.state;
  $('state').className = `badge ${filter.state}`;
  const ready = filter.state === 'ready';
  $('ask').hidden = !ready;
  for (const id of ['expire', 'clear']) {
    $(id).disabled = !ready;
  }
  $('expire').textContent = filter.expiresAt ? 'Change the deadline …' : 'Set the deadline …';
  $('keep').hidden = !filter.expiresAt;
  $('summary').textContent = ready
    ? contentOf(filter)
    : `Being created: ${filter.segmentsReady} of ${filter.segments} segments are made.`;
  $('warning').textContent = filter.schemeWarning ?? '';
  $('warning').hidden = !filter.schemeWarning;
  renderBar(filter);
  renderFigures(filter);
  renderContent(filter.rebuild);
  if (!ready || filter.rebuild) {
    poll = setTimeout(() => attempt(() => describe(filter.name)), PROGRESS_POLL);
  }
}

/** The rebuild that is open and how far it is, or the way to begin one. */
function renderContent(rebuild) {
  $('replace').hidden = Boolean(rebuild);
  $('rebuild-buttons').hidden = !rebuild;
  $('clear').disabled = $('clear').disabled || Boolean(rebuild);
  if (!rebuild) {
    $('content-text').textContent =
      'The lines of a file take the place of all elements, in one step at their end. Until then, and if anything ' +
      'fails, tests are answered from what is there now.';
    $('rebuild').replaceChildren();
    return;
  }
  const open = rebuild.state === 'open';
  $('commit').disabled = !open;
  $('content-text').textContent = open
    ? 'New content is being loaded. Tests are answered from the old one; adds go to both.'
    : `Being opened: ${rebuild.segmentsReady} of ${rebuild.segments} segments are made.`;
  $('rebuild').replaceChildren(
    figure('Elements received', number(rebuild.elementsReceived), `since ${moment(rebuild.openedAt)}`),
    figure('Holds about', rebuild.approximateElementCount === null
      ? 'saturated' : number(rebuild.approximateElementCount), `of ${number(rebuild.expectedInsertions)}`),
    figure('Wrong “maybe” then', oneIn(rebuild.estimatedFalsePositiveProbability)),
    figure('Memory in Redis', bytes(rebuild.sizeBytes), 'beside that of the filter'),
    figure('Aborted if nothing comes', fromNow(rebuild.abandonedAt)));
}

function contentOf(filter) {
  const n = filter.expectedInsertions;
  const held = filter.approximateElementCount;
  if (filter.bitsSet === 0) {
    return `Empty. It has room for ${number(n)} elements.`;
  }
  if (held === null) {
    return 'Saturated: nearly every test is answered maybe. Create a larger filter.';
  }
  const part = `Holds about ${number(held)} of ${number(n)} elements, ${percent(held / n)}.`;
  return held > n ? `${part} More than it was sized for, so the rate is above the promised one.` : part;
}

/** The share of bits that are set once the filter holds its expected insertions. */
function fillAtExpected(filter) {
  const { numHashFunctions: k, expectedInsertions: n, bitSize: m } = filter;
  return -Math.expm1((-k * n) / m);
}

function renderBar(filter) {
  const atExpected = fillAtExpected(filter);
  const over = filter.fillRatio > atExpected * 1.005;
  $('bar-value').setAttribute('width', String(1000 * filter.fillRatio));
  $('bar-value').setAttribute('class', over ? 'value over' : 'value');
  $('bar-mark').setAttribute('x', String(1000 * atExpected - 2));
  const text =
    `${percent(filter.fillRatio)} of the bits are set; ` +
    `${percent(atExpected)} (the mark) are when it holds ${number(filter.expectedInsertions)} elements.`;
  $('bar').setAttribute('aria-label', text);
  $('fill').hidden = false;
  $('bar-text').textContent = text;
}

function keyNote(filter) {
  if (filter.adopted) {
    return 'adopted: another library uses it too';
  }
  return filter.segments > 1 ? 'of the first segment' : '';
}

function renderFigures(filter) {
  const atExpected = fillAtExpected(filter) ** filter.numHashFunctions;
  const rate = filter.estimatedFalsePositiveProbability;
  const policy = filter.whenFull === 'reject' ? 'refuses new elements' : 'takes more, at a rising rate';
  const several = filter.segments > 1 ? ` in ${number(filter.segments)} segments` : '';
  $('figures').replaceChildren(
    figure('Wrong “maybe” now', oneIn(rate), rate > 0
      ? 'tests of elements that were never added'
      : 'the filter is empty: every answer is “certainly not”'),
    figure(
      'Wrong “maybe” when full', oneIn(atExpected),
      `promised: ${oneIn(filter.falsePositiveProbability)}; at ${number(filter.expectedInsertions)} it ${policy}`),
    figure(
      'Memory in Redis', bytes(filter.sizeBytes),
      `${number(filter.bitSize)} bits${several}, ${significant(filter.bitSize / filter.expectedInsertions)} an element`),
    figure(
      filter.adopted ? 'Adds made here that changed it' : 'Adds that changed it', number(filter.insertions),
      `${number(filter.bitsSet)} bits are set, exactly`),
    figure(
      'Bits an element sets', number(filter.numHashFunctions),
      [filter.hashScheme, filter.elementCodec].filter(Boolean).join(', ')),
    figure('Content number', number(filter.generation), 'grows when the content is replaced'),
    figure('Created', moment(filter.createdAt)),
    figure('Vanishes', filter.expiresAt ? moment(filter.expiresAt) : 'never',
      filter.expiresAt ? fromNow(filter.expiresAt) : ''),
    figure('Redis key', filter.redisKey, keyNote(filter)));
}

function named(hash) {
  try {
    return decodeURIComponent(/^#\/(.+)$/.exec(hash)?.[1] ?? '') || null;
  } catch {
    return null;
  }
}

/** Shows the filter that the address names, or the start. */
function follow() {
  clearTimeout(poll);
  current = named(location.hash);
  const name = current;
  markCurrent();
  $('answers').replaceChildren();
  if (!current) {
    show('welcome');
    return;
  }
  attempt(async () => {
    try {
      await describe(name);
      $('described-heading').focus();
    } catch (problem) {
      showDamaged(name);
      throw problem;
    }
  });
}

/** What cannot be described may still be deleted. */
function showDamaged(name) {
  if (name !== current) {
    return;
  }
  const listed = [...$('rows').querySelectorAll('a')].find((link) => link.dataset.name === name);
  if (!listed?.querySelector('.damaged')) {
    show('welcome');
    return;
  }
  show('described');
  $('described-heading').textContent = name;
  $('state').textContent = 'damaged';
  $('state').className = 'badge damaged';
  $('summary').textContent = 'Its elements are not known any more. Replace its content, or delete it.';
  renderContent(null);
  adoptedKey = null;
  $('warning').hidden = true;
  $('ask').hidden = true;
  $('keep').hidden = true;
  $('figures').replaceChildren();
  $('fill').hidden = true;
  $('expire').disabled = true;
  $('clear').disabled = true;
}

/* ---- Test and add ---- */

async function ask(verb) {
  const elements = $('text').value.split('\n').map((line) => line.replace(/\r$/, '')).filter(Boolean);
  if (elements.length === 0) {
    throw new Problem('There is nothing to send', 'Write one element a line.');
  }
  const name = current;
  const body = { elements, encoding: $('encoding').value };
  const answer = await call('POST', verb === 'add' ? PATHS.add : PATHS.test, { name, body });
  renderAnswers(elements, verb, answer);
  if (verb === 'add') {
    await describe(name);
  }
}

function renderAnswers(elements, verb, answer) {
  const words = verb === 'add'
    ? { flags: answer.added, yes: ['new', 'new'], no: ['known', 'probably there'] }
    : { flags: answer.mightContain, yes: ['maybe', 'maybe'], no: ['no', 'certainly not'] };
  const count = verb === 'add' ? answer.addedCount : answer.mightContainCount;
  const caption = verb === 'add'
    ? `${number(count)} of ${number(elements.length)} were new.`
    : `${number(count)} of ${number(elements.length)} might be contained.`;
  const shown = elements.slice(0, SHOWN_ANSWERS);
  const rest = elements.length - shown.length;
  const table = element('table', 'answers',
    element('caption', '', rest ? `${caption} The first ${SHOWN_ANSWERS} are shown.` : caption));
  const rows = table.createTBody();
  shown.forEach((text, index) => {
    const [className, word] = words.flags[index] ? words.yes : words.no;
    rows.append(element('tr', '', element('td', '', text), element('td', className, word)));
  });
  $('answers').replaceChildren(table);
}

/* ---- Changes that need a second thought ---- */

function confirmed({ title, text, yes, danger = false, time = false }) {
  const dialog = $('confirm');
  $('confirm-heading').textContent = title;
  $('confirm-text').textContent = text;
  $('confirm-time').hidden = !time;
  $('confirm-yes').textContent = yes;
  $('confirm-yes').className = danger ? 'danger' : 'primary';
  dialog.returnValue = '';
  dialog.showModal();
  (time ? $('confirm-ttl') : $('confirm-no')).focus();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true });
  });
}

function seconds(amountId, unitId) {
  const amount = readNumber($(amountId).value);
  if (!(amount > 0)) {
    throw new Problem('The time is not a number', 'Write a whole number above 0.');
  }
  return amount * Number($(unitId).value);
}

async function expire() {
  const name = current;
  const question = {
    title: `Set the deadline of ${name}`,
    text: 'Then the filter vanishes with all its elements.',
    yes: 'Set',
    time: true,
  };
  if (await confirmed(question)) {
    const body = { ttlSeconds: seconds('confirm-ttl', 'confirm-unit') };
    await call('PUT', PATHS.expiry, { name, body });
    await changed(name, 'The deadline is set.');
  }
}

async function keep() {
  const name = current;
  const question = {
    title: `Remove the deadline of ${name}?`,
    text: 'Then the filter stays until it is deleted.',
    yes: 'Remove',
  };
  if (await confirmed(question)) {
    await call('DELETE', PATHS.expiry, { name });
    await changed(name, 'The deadline is removed.');
  }
}

async function clear() {
  const name = current;
  const question = {
    title: `Clear ${name}?`,
    text: `All its elements are dropped${adoptedKey ? `, for the other users of ${adoptedKey} too` : ''}. ` +
      'Parameters and deadline stay. This cannot be undone.',
    yes: 'Clear',
    danger: true,
  };
  if (await confirmed(question)) {
    await call('POST', PATHS.clear, { name });
    $('answers').replaceChildren();
    await changed(name, 'The filter is empty.');
  }
}

async function replace() {
  const name = current;
  const file = $('file').files[0];
  const question = {
    title: `Replace the content of ${name}?`,
    text: `The lines of ${file.name} take the place of all its elements.`,
    yes: 'Replace',
    danger: true,
  };
  if (await confirmed(question)) {
    poll = setTimeout(() => attempt(() => describe(name)), PROGRESS_POLL);
    await call('PUT', PATHS.elements, { name, lines: file });
    $('replace').reset();
    $('answers').replaceChildren();
    await changed(name, 'The content is replaced.');
  }
}

async function commit() {
  const name = current;
  const question = {
    title: `Commit the rebuild of ${name}?`,
    text: 'What was loaded takes the place of all its elements, for every reader at once.',
    yes: 'Commit',
    danger: true,
  };
  if (await confirmed(question)) {
    await call('POST', PATHS.commit, { name });
    $('answers').replaceChildren();
    await changed(name, 'The rebuild is committed.');
  }
}

async function abort() {
  const name = current;
  const question = {
    title: `Abort the rebuild of ${name}?`,
    text: 'What was loaded is dropped. The filter keeps the elements it has.',
    yes: 'Abort',
    danger: true,
  };
  if (await confirmed(question)) {
    await call('DELETE', PATHS.rebuild, { name });
    await changed(name, 'The rebuild is aborted.');
  }
}

async function remove() {
  const name = current;
  const question = {
    title: `Delete ${name}?`,
    text: adoptedKey
      ? `The filter lets go of the Redis key ${adoptedKey}, which keeps its elements.`
      : 'The filter and all its elements are dropped. This cannot be undone.',
    yes: 'Delete',
    danger: true,
  };
  if (await confirmed(question)) {
    await call('DELETE', PATHS.filter, { name });
    location.hash = '';
    say(`${name} is deleted.`);
    await list();
  }
}

async function changed(name, message) {
  say(message);
  await Promise.all([describe(name), list()]);
}

/* ---- Create, with sizing while typing ---- */

let typing = 0;
let question = 0;

function sizeSoon() {
  clearTimeout(typing);
  typing = setTimeout(size, TYPING_PAUSE);
}

async function size() {
  const n = readNumber($('expected').value);
  const p = Number($('rate').value);
  $('rate-hint').textContent = p > 0 && p < 1 ? `${oneIn(p)} tests of others is a wrong “maybe”` : '';
  const asked = (question += 1);
  const problem = $('sizing-problem');
  if (!(n > 0) || !(p > 0)) {
    $('sizing').replaceChildren();
    problem.textContent = 'Write how many elements it shall hold, and a probability such as 0.01.';
    problem.hidden = false;
    return;
  }
  try {
    const query = { expectedInsertions: n, falsePositiveProbability: p };
    const answer = await call('GET', PATHS.sizing, { query });
    if (asked === question) {
      problem.hidden = true;
      $('sizing').replaceChildren(
        figure('Memory in Redis', bytes(answer.sizeBytes)),
        figure('Bits an element', significant(answer.bitsPerElement)),
        figure('Hash functions', number(answer.numHashFunctions)),
        figure('Segments', number(answer.segments)));
    }
  } catch (failure) {
    if (asked === question) {
      $('sizing').replaceChildren();
      problem.textContent = failure.message;
      problem.hidden = false;
    }
  }
}

async function create() {
  const name = $('name').value.trim();
  if (!name) {
    throw new Problem('The name is missing', 'Give the filter a name.');
  }
  const body = {
    expectedInsertions: readNumber($('expected').value),
    falsePositiveProbability: Number($('rate').value),
    whenFull: $('when-full').value,
  };
  if ($('ttl').value.trim()) {
    body.ttlSeconds = seconds('ttl', 'ttl-unit');
  }
  await call('PUT', PATHS.filter, { name, body });
  $('name').value = '';
  say(`${name} is created.`);
  await list();
  if (current === name) {
    await describe(name);
  } else {
    location.hash = addressOf(name);
  }
}

function openCreation() {
  clearTimeout(poll);
  hideProblem();
  show('creation');
  $('creation-heading').scrollIntoView({ block: 'nearest' });
  $('name').focus();
  size();
}

/* ---- Wiring ---- */

function onSubmit(id, work) {
  $(id).addEventListener('submit', (event) => {
    event.preventDefault();
    attempt(() => work(event.submitter), event.submitter);
  });
}

function onClick(id, work) {
  $(id).addEventListener('click', (event) => attempt(work, event.currentTarget));
}

onSubmit('search', () => list());
$('rows').addEventListener('click', (event) => {
  // The address does not change when the filter is chosen again, after the form to create one.
  if (event.target.closest('a')?.dataset.name === current) {
    follow();
  }
});
onSubmit('create', create);
onSubmit('elements', (button) => ask(button?.value === 'add' ? 'add' : 'test'));
onClick('more', () => list(true));
onClick('refresh', () => Promise.all([describe(current), list()]));
onClick('expire', expire);
onClick('keep', keep);
onClick('clear', clear);
onSubmit('replace', replace);
onClick('commit', commit);
onClick('abort', abort);
onClick('delete', remove);
$('authorize').addEventListener('click', () => askForKey(
  sessionStorage.getItem(KEY) ? 'A key is in use.' : 'No key is in use.'));
$('key-dialog').addEventListener('close', useKey);
$('new').addEventListener('click', openCreation);
$('create').querySelector('[data-cancel]').addEventListener('click', follow);
$('expected').addEventListener('input', sizeSoon);
$('rate').addEventListener('input', sizeSoon);
$('problem').querySelector('[data-close]').addEventListener('click', hideProblem);
window.addEventListener('hashchange', follow);

attempt(() => list()).then(follow);
