// Creates the filter of the form for a new filter, and asks for its size.

import { call, creates, PATHS, Problem } from './api.js';
import { firstWrong, read } from './fields.js';
import { goTo } from './filter.js';
import { allFields, bodyOf, growthOf, isShowable, kindFields, sizeFields, sizingQuery, ttl, valueOf } from './form.js';
import { $, addressOf, FORM, placeIn, state, typed, update } from './state.js';

const TYPING_PAUSE = 250;

const isRead = (field) => !read(field).problem;

/** Whether the fields that determine the figures are valid. A library's own parameters are known once it is created. */
const isSized = () => sizeFields().length > 0 && [...sizeFields(), ...kindFields()].every(isRead);

let typing = 0;
let question = 0;

function sizeSoon() {
  clearTimeout(typing);
  typing = setTimeout(size, TYPING_PAUSE);
  if (!isSized() && state.sizing) {
    question += 1;
    update({ sizing: sizeFields().length > 0 ? { ...state.sizing, isOld: true } : null });
  }
}

async function size() {
  if (!isSized()) {
    return;
  }
  const asked = (question += 1);
  const { kind } = typed;
  const query = sizingQuery();
  const growth = growthOf();
  const sizing = await call('GET', PATHS.sizing, { query }).then(
    (answer) => ({ answer, ...sizedFor(answer, query), kind, growth }), ({ message }) => ({ problem: message }));
  if (asked === question) {
    update({ sizing });
  }
}

/** The requested capacity and rate, or those that were computed. */
const sizedFor = (answer, { expectedInsertions, falsePositiveProbability }) => ({
  n: expectedInsertions ?? answer.expectedInsertions,
  p: falsePositiveProbability ?? answer.falsePositiveProbability,
});

/** The request with the values in the form, without empty ones; null while one is invalid. */
export const creation = (name = typed.name.trim() || 'NAME') =>
  (allFields().every(isRead) ? { method: 'PUT', path: PATHS.filter, name, body: bodyOf() } : null);

/** Sends the request once every field is valid. */
export async function create() {
  const name = typed.name.trim();
  if (!name) {
    $('name').focus();
    throw new Problem('The name is missing', 'Give the filter a name.');
  }
  if (firstWrong(allFields())) {
    return undefined;
  }
  const isNew = await creates(creation(name));
  await goTo(addressOf(name));
  return isNew ? `${name} was created.` : `${name} already existed with these parameters. Nothing was changed${
    valueOf(ttl) ? ', and its expiry stays' : ''}.`;
}

/** The address of the form, with all values that differ from the defaults. */
function formAddress() {
  const values = Object.entries(FORM).filter(([id, value]) => typed[id] !== value).map(([id]) => [id, typed[id]]);
  return values.length > 0 ? `#new?${new URLSearchParams(values)}` : '#new';
}

/** Shows the form with the values of its address, so that links and reloads keep them. */
export function openForm(values) {
  const given = [...new URLSearchParams(values)].filter(isShowable);
  Object.assign(typed, FORM, Object.fromEntries(given));
  update({ view: 'creation', sizing: null });
  $('name').focus();
  sizeSoon();
}

export function changed() {
  // A field reports a change when the browser leaves the form, too.
  if (placeIn(location.hash).view !== 'creation') {
    return;
  }
  history.replaceState(null, '', formAddress());
  sizeSoon();
}
