// All that the page shows. Each change of it has the page drawn again.

export const state = {
  /** What is open: welcome, creation or described. */
  view: 'welcome',
  /** The name of the filter in the address; null for none. */
  name: null,
  /** The filter as it was described last; null if it cannot be. */
  filter: null,
  /** Why it is not as it was described, a `word` and a `text`; null if it is. */
  lost: null,
  /** What the service answered: the page of the list, and the totals. */
  page: null,
  /** The title by which the rows of the page are sorted. */
  order: 'Name',
  overview: null,
  /** What a filter that is being made will take, or the `problem` with it. */
  sizing: null,
  /** What was asked of elements, and the answer. */
  answers: null,
  /** What became of a file. */
  loaded: '',
  /** The question of the dialog, and why a key is asked for. */
  asked: null,
  keyReason: '',
  /** What went wrong; why the page is not up to date; what readiness warns of. */
  problem: null,
  connection: null,
  warnings: [],
  /** The file that is on its way. */
  transfer: null,
  /** What is said to people who do not see the page; each time it is another object. */
  said: { text: '' },
  /** The ids of the buttons and forms that are at work. */
  busy: new Set(),
};

/** What stands in each field, by its id. */
export const typed = {
  'prefix': '',
  'page-size': '50',
  'name': '',
  'expected': '1,000,000',
  'rate': '0.01',
  'ttl': '',
  'ttl-unit': '86400',
  'window': '',
  'window-unit': '86400',
  'when-full': 'accept',
  'counting': 'no',
  'factor': '2',
  'most-bytes': '',
  'text': '',
  'encoding': 'utf-8',
  'file': null,
  'load-way': 'add',
};

let draw = () => {};

/** Calls what draws the page after each change. */
export const onChange = (work) => {
  draw = work;
};

export function update(changes = {}) {
  Object.assign(state, changes);
  draw();
}

export const say = (text) => update({ said: { text } });

export const $ = (id) => document.getElementById(id);

/** Filters have addresses of their own: no name is taken for the id of an element. */
export const addressOf = (name) => '#/' + encodeURIComponent(name);

export function nameIn(hash) {
  try {
    return decodeURIComponent(/^#\/(.+)$/.exec(hash)?.[1] ?? '') || null;
  } catch {
    return null;
  }
}
