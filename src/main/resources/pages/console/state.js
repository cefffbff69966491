// The state of the page. Each change renders the page again.

export const state = {
  /** The current view: list, creation, several or described. */
  view: 'list',
  /** The name of the filter in the address, or null, and the tab. */
  name: null,
  tab: 'overview',
  /** The last description of the filter; null if there is none. */
  filter: null,
  /** Why the description is outdated, as a `word` and a `text`; null if it is not. */
  lost: null,
  /** The page of the list, and the totals. */
  page: null,
  /** The title of the column that sorts the rows, and whether in reverse. */
  order: { title: 'Name', isTurned: false },
  /** The first row that is shown, whether rows are a tree, its open folders, and the chosen names; null while none can be chosen. */
  rows: { offset: 0, isTree: false, open: new Set(), chosen: null },
  overview: null,
  /** The size of a new filter, or the `problem` with it. */
  sizing: null,
  /** The last elements sent, and the response. */
  answers: null,
  /** The last elements tested in several filters, and the response. */
  several: null,
  /** The progress of the first steps. */
  first: { step: 0 },
  /** The current dialog. */
  asked: null,
  /** Why the page asks for a key, and whether the current one may be kept; null if it does not ask. */
  signIn: null,
  /** The outcome of the last action: the button or form `at` which to show it, and a `problem` or a `text`. */
  outcome: null,
  /** Why the page is not up to date. */
  connection: null,
  /** The current upload or download. */
  transfer: null,
  /** The last announcement to screen readers. Each one is a new object. */
  said: { text: '' },
  /** The ids of disabled buttons and forms whose action is running. */
  busy: new Set(),
};

/** The defaults of the form for a new filter. */
export const FORM = {
  'name': '',
  'kind': 'fixed',
  'expected': '1,000,000',
  'rate': '1 %',
  'ttl': '',
  'ttl-unit': '86400',
  'ttl-since': 'now',
  'template': false,
  'when-full': 'accept',
  'window': '1',
  'window-unit': '86400',
  'slices': '8',
  'refresh': 'yes',
  'keyed': false,
  'scheme': 'guava-mitz-64',
  'codec': '',
  'redis-key': '',
  'sized-by': 'elements',
  'bits': '',
  'hashes': '',
  'factor': '2',
  'most-bytes': '',
};

/** The value of each field by its id. */
export const typed = {
  ...FORM,
  'search': '',
  'text': '',
  'encoding': 'utf-8',
  'file': null,
  'load-way': 'add',
};

let draw = () => {};

/** Sets the function that renders the page after each change. */
export const onChange = (work) => {
  draw = work;
};

export function update(changes = {}) {
  Object.assign(state, changes);
  draw();
}

export const showRows = (changes) => update({ rows: { ...state.rows, ...changes } });

export const say = (text) => update({ said: { text } });

export const $ = (id) => document.getElementById(id);

export const TABS = ['overview', 'elements', 'load', 'rebuild', 'settings'];

/** Addresses of filters have a prefix, so that a name cannot be the id of an element. */
export const addressOf = (name, tab = 'overview') => `#/${encodeURIComponent(name)}${tab === 'overview' ? '' : `/${tab}`}`;

/** The view for an address: a filter, a form with its values, or the list. */
export function placeIn(hash) {
  const [, name, tab = 'overview'] = /^#\/([^/]+)(?:\/(\w+))?$/.exec(hash) ?? [];
  if (!name) {
    const [, form, values = ''] = /^#(new|test)(?:\?(.*))?$/.exec(hash) ?? [];
    return { view: { new: 'creation', test: 'several' }[form] ?? 'list', name: null, values };
  }
  try {
    return { view: 'described', name: decodeURIComponent(name), tab: TABS.includes(tab) ? tab : 'overview' };
  } catch {
    return { view: 'list', name: null };
  }
}
